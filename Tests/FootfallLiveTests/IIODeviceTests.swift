import Footfall
import FootfallLive
import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The sysfs of a machine with one accelerometer.
private struct Machine {
    let folder: Folder
    static let device = "sys/bus/iio/devices/iio:device0"

    /// - Parameter buffer: Whether the accelerometer has a buffer.
    init(buffer: Bool, type: String = "le:s16/16>>0", scale: Double = 9.80665 / 1000) throws {
        folder = try Folder()
        try set("name", "lsm6ds3")
        for axis in ["x", "y", "z"] { try set("in_accel_\(axis)_raw", axis == "z" ? "1000" : "0") }
        try set("in_accel_scale", "\(scale)")
        try set("sampling_frequency", "104")
        try set("in_accel_sampling_frequency_available", "12.5 26 52 104 208")
        guard buffer else { return }
        for (index, axis) in ["z", "y", "x"].enumerated() {
            try set("scan_elements/in_accel_\(axis)_en", "0")
            try set("scan_elements/in_accel_\(axis)_index", "\(index + 3)")
            try set("scan_elements/in_accel_\(axis)_type", type)
        }
        try set("scan_elements/in_anglvel_x_en", "0")
        try set("scan_elements/in_timestamp_en", "0")
        try set("scan_elements/in_timestamp_index", "6")
        try set("scan_elements/in_timestamp_type", "le:s64/64>>0")
        try set("buffer/length", "2")
        try set("buffer/enable", "0")
        try set("trigger/current_trigger", "")
        try folder.write("sys/bus/iio/devices/trigger0/name", "other-dev7\n")
        try folder.write("sys/bus/iio/devices/trigger1/name", "lsm6ds3-dev0\n")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "dev"), withIntermediateDirectories: true)
        mkfifo(folder.path("dev/iio:device0"), 0o600)
    }

    func set(_ name: String, _ value: String) throws { try folder.write("\(Self.device)/\(name)", value + "\n") }

    func get(_ name: String) throws -> String {
        try folder.text("\(Self.device)/\(name)").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

@Suite("An IIO accelerometer", .timeLimit(.minutes(60)))
struct IIODeviceTests {
    @Test("is configured and read through its buffer, then restored")
    func buffered() async throws {
        let machine = try Machine(buffer: true)
        // Opening a FIFO for reading and writing does not wait.
        let fifo = open(machine.folder.path("dev/iio:device0"), O_RDWR | O_NONBLOCK)
        let listener = Listener()
        var device = IIODevice(0, root: machine.folder.url.path)
        device.clock = listener.clock.host
        listener.listen(to: device)
        #expect(try await listener.waitUntilOpen())
        #expect(try machine.get("buffer/enable") == "1" && machine.get("buffer/length") == "256")
        #expect(try machine.get("trigger/current_trigger") == "lsm6ds3-dev0")
        let walk = try Walk()
        var (pending, sent): ([UInt8], Int) = ([], 0)
        for (index, sample) in walk.samples.enumerated() {
            var scan: [UInt8] = []
            for value in [sample.z, sample.y, sample.x] {
                let raw = Int16((value * 1000).rounded())
                scan += [UInt8(truncatingIfNeeded: raw), UInt8(truncatingIfNeeded: raw >> 8)]
            }
            scan += [0, 0]
            let time = 1_700_000_000_000_000_000 + sample.time.nanosecondsSince1970
            scan += (0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * Int64($0))) }
            pending += scan
            if index % 12 == 0 {
                // The last scan of each burst arrives in two pieces.
                listener.clock.advance(seconds: 0.12)
                sent += send(Array(pending.prefix(pending.count - 5)), to: fifo)
                pending = Array(pending.suffix(5))
                try #require(await eventually { listener.analyzed == sent / scan.count })
            }
        }
        send(pending, to: fifo)
        #expect(try await listener.wait { $0.samples >= walk.samples.count - 1 }, "\(listener.samples)")
        try await listener.end()
        #expect(Walk.steps(in: 24).contains(listener.steps.count), "\(listener.steps.count)")
        #expect(try machine.get("buffer/enable") == "0" && machine.get("buffer/length") == "2")
        #expect(try machine.get("scan_elements/in_accel_x_en") == "0")
        close(fifo)
    }

    @Test("is polled without its buffer")
    func polled() async throws {
        let machine = try Machine(buffer: false)
        let listener = Listener()
        let device = IIODevice(0, root: machine.folder.url.path)
        let clock = ContinuousClock()
        let start = clock.now
        listener.listen(to: device)
        #expect(try await listener.wait { $0.samples >= 50 })
        try await listener.end()
        let seconds = start.duration(to: clock.now) / .seconds(1)
        #expect(Double(listener.samples) < 50 * seconds + 10)
        #expect(listener.notices.contains { "\($0)".contains("polled at 50 Hz") })
        #expect(listener.last.current?.activity != .walking)
    }

    @Test("keeps its sample rate unless it is configured")
    func configuring() async throws {
        let machine = try Machine(buffer: false)
        try machine.set("in_accel_sampling_frequency", "12.5")
        for configures in [false, true] {
            let listener = Listener()
            listener.listen(to: IIODevice(0, configures: configures, root: machine.folder.url.path))
            #expect(try await listener.waitUntilOpen())
            try await listener.end()
            #expect(try machine.get("in_accel_sampling_frequency") == (configures ? "52" : "12.5"))
        }
    }

    @Test(
        "is set to 50 Hz or the next rate above, in whatever way its driver states them",
        arguments: [
            ("3200 1600 800 400 200 100 50 25 12.5", "50"), ("25 12.5 6.25", "25"), ("[6.25 6.25 400]", "50.0"),
            ("[1 0.5 10]", "10.0"), ("", "12.5"), ("[6.25]", "12.5"),
        ])
    func rates(available: String, expected: String) async throws {
        let machine = try Machine(buffer: false)
        try machine.set("in_accel_sampling_frequency", "12.5")
        try machine.set("in_accel_sampling_frequency_available", available)
        let listener = Listener()
        listener.listen(to: IIODevice(0, configures: true, root: machine.folder.url.path))
        #expect(try await listener.waitUntilOpen())
        try await listener.end()
        #expect(try machine.get("in_accel_sampling_frequency") == expected)
    }

    @Test(
        "measures 1 g at rest in any format and mounting",
        arguments: [
            "le:s16/16>>0", "be:s16/16>>0", "le:s12/16>>4", "be:s12/16>>4", "le:s24/32>>8", "le:s32/32>>0", "le:u16/16",
        ])
    func formats(type: String) async throws {
        let machine = try Machine(buffer: true, type: type)
        try machine.set("in_accel_mount_matrix", "0, 1, 0; 0, 0, 1; 1, 0, 0")
        let fifo = open(machine.folder.path("dev/iio:device0"), O_RDWR | O_NONBLOCK)
        let rests = Mutex<[Bool]>([])
        let device = IIODevice(0, root: machine.folder.url.path)
        let task = Task {
            for try await batch in device.batches() {
                for sample in batch {
                    let isAtRest = sample.x == 0 && abs(sample.y - 1) < 1e-3 && sample.z == 0
                    rests.withLock { $0.append(isAtRest) }
                }
            }
        }
        #expect(try await eventually { try machine.get("buffer/enable") == "1" })
        let bytes = type.contains("/32") ? 4 : 2
        let shift = type.contains(">>4") ? 4 : type.contains(">>8") ? 8 : 0
        // The bits outside of the value are set at random.
        func word(_ value: UInt32) -> [UInt8] {
            let noisy = shift > 0 ? value << UInt32(shift) | 0x5 : value
            let little = (0..<bytes).map { UInt8(truncatingIfNeeded: noisy >> UInt32(8 * $0)) }
            return type.hasPrefix("be") ? little.reversed() : little
        }
        var scan = word(1000) + word(0) + word(0)
        while scan.count % 8 != 0 { scan.append(0xEE) }
        for time in 1...8 { send(scan + [UInt8(time), 0, 0, 0, 0, 0, 0, 0], to: fifo) }
        #expect(try await eventually { rests.withLock { $0.count } == 8 })
        task.cancel()
        try await task.value
        #expect(rests.withLock { $0 } == Array(repeating: true, count: 8))
        close(fifo)
    }

    @Test("is an error when it is missing or not an accelerometer")
    func errors() async throws {
        let machine = try Machine(buffer: false)
        try machine.folder.write("sys/bus/iio/devices/iio:device1/name", "thermometer\n")
        for (number, reason) in [(1, DeviceError.Reason.notADevice("not an accelerometer")), (2, .missing)] {
            let error = await #expect(throws: DeviceError.self) {
                for try await _ in IIODevice(number, root: machine.folder.url.path).batches() {}
            }
            #expect(error?.reason == reason)
        }
    }

    @Test("is listed with serial ports and their properties")
    func listing() throws {
        let machine = try Machine(buffer: false)
        let usb = "sys/devices/usb1/1-2"
        try machine.folder.write("\(usb)/idVendor", "1a86\n")
        try machine.folder.write("\(usb)/idProduct", "7523\n")
        try machine.folder.write("\(usb)/product", "USB Serial\n")
        try machine.folder.write("\(usb)/1-2:1.0/ttyUSB0/port_number", "0\n")
        try machine.folder.write("sys/bus/usb-serial/drivers/ch341-uart/new_id", "\n")
        try machine.folder.write("sys/class/tty/ttyUSB0/dev", "188:0\n")
        try machine.folder.write("sys/class/tty/tty0/dev", "4:0\n")
        try machine.folder.write("sys/class/tty/ttyS0/type", "0\n")
        try machine.folder.write("sys/class/tty/ttyS0/device/x", "\n")
        try machine.folder.write("dev/ttyUSB0", "")
        try machine.folder.write("dev/serial/by-id/x", "")
        let files = FileManager.default
        func link(_ path: String, _ target: String) throws {
            try files.createSymbolicLink(
                atPath: machine.folder.path(path), withDestinationPath: machine.folder.path(target))
        }
        try link("sys/class/tty/ttyUSB0/device", "\(usb)/1-2:1.0/ttyUSB0")
        try link("\(usb)/1-2:1.0/ttyUSB0/driver", "sys/bus/usb-serial/drivers/ch341-uart")
        try link("dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", "dev/ttyUSB0")
        let devices = AttachedDevice.all(root: machine.folder.url.path)
        #expect(devices.count == 2)
        let port = try #require(devices.first)
        #expect(port.address == .serial(path: machine.folder.path("dev/serial/by-id/usb-1a86_USB_Serial-if00-port0")))
        #expect(port.path == machine.folder.path("dev/ttyUSB0"))
        #expect(port.name == "USB Serial" && port.driver == "ch341-uart" && port.usbIdentifier == "1a86:7523")
        #expect(port.manufacturer == nil && port.isPermitted)
        // The bridge has no serial number, so its rule names the USB port.
        let rest = #", SYMLINK+="footfall", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1", TAG+="systemd""#
        let kind = #"SUBSYSTEM=="tty", ATTRS{idVendor}=="1a86", ATTRS{idProduct}=="7523", "#
        #expect(port.udevRule == kind + #"KERNELS=="1-2""# + rest)
        for (serial, key) in [
            ("A50285BI", #"ATTRS{serial}=="A50285BI""#), ("0001", #"KERNELS=="1-2""#),
            (#"A50285", RUN+="x"#, #"KERNELS=="1-2""#),
        ] {
            try machine.folder.write("\(usb)/serial", serial + "\n")
            let rule = AttachedDevice.all(root: machine.folder.url.path).first?.udevRule
            #expect(rule == kind + key + rest, "\(serial)")
        }
        let accelerometer = try #require(devices.last)
        #expect(accelerometer.udevRule == nil)
        #expect(accelerometer.address == .iio(0) && accelerometer.name == "lsm6ds3" && accelerometer.sampleRate == 104)
    }
}
