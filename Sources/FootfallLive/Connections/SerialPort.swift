internal import Foundation

/// Opens serial ports: raw, at a given speed, exclusively.
enum SerialPort {
    private static let speeds: [Int: speed_t] = {
        var speeds: [Int: speed_t] = [
            1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600),
            19200: speed_t(B19200), 38400: speed_t(B38400), 57600: speed_t(B57600), 115_200: speed_t(B115200),
            230_400: speed_t(B230400),
        ]
        #if os(Linux)
            let fast = [
                (460_800, B460800), (500_000, B500000), (576_000, B576000), (921_600, B921600), (1_000_000, B1000000),
                (1_152_000, B1152000), (1_500_000, B1500000), (2_000_000, B2000000), (2_500_000, B2500000),
                (3_000_000, B3000000), (3_500_000, B3500000), (4_000_000, B4000000),
            ]
            for (baud, constant) in fast { speeds[baud] = speed_t(constant) }
        #endif
        return speeds
    }()

    static func open(_ path: String, baud: Int) throws(DeviceError) -> Handle {
        guard let speed = speeds[baud] else { throw DeviceError(.unknownBaud(baud), device: path) }
        // The port must not become the controlling terminal of this process, and opening must not wait for a carrier.
        let descriptor = Foundation.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(errno, path) }
        let handle = Handle(descriptor)
        guard isatty(descriptor) == 1 else { throw DeviceError(.notADevice(kind(of: descriptor)), device: path) }
        // The exclusive mode prevents a later open by others, except by root. The lock also detects an earlier one.
        guard lock(descriptor), ioctl(descriptor, UInt(TIOCEXCL)) == 0 else { throw error(errno, path) }
        try configure(descriptor, speed, path)
        // The time of bytes in the driver's buffer is unknown.
        tcflush(descriptor, TCIFLUSH)
        return handle
    }

    /// Takes the lock within 0.1 s. A child process holds the lock of its parent until it executes its program.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(5000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Sets raw bytes, eight bits, no parity, one stop bit and no flow control. Modem lines are ignored.
    private static func configure(_ descriptor: Int32, _ speed: speed_t, _ path: String) throws(DeviceError) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { throw error(errno, path) }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        // HUPCL would reset an Arduino when the port is closed.
        settings.c_cflag &= ~tcflag_t(CSTOPB | PARENB | HUPCL)
        #if os(Linux)
            settings.c_cflag &= ~tcflag_t(0o20_000_000_000)  // CRTSCTS, a macro that Swift does not import
        #endif
        guard cfsetspeed(&settings, speed) == 0, tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
            throw error(errno, path)
        }
    }

    private static func error(_ code: Int32, _ path: String) -> DeviceError {
        code == EISDIR ? DeviceError(.notADevice("a folder"), device: path) : DeviceError(code: code, device: path)
    }

    private static func kind(of descriptor: Int32) -> String {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return "something else" }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: "a file"
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        default: "something else"
        }
    }
}
