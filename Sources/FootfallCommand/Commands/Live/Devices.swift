import ArgumentParser
import FootfallAnswers
import FootfallDevices
import FootfallWire

/// `footfall devices`: the sensors that `footfall live` can read.
struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the serial ports and accelerometers of this machine.",
        discussion: """
            The first column is the argument of 'footfall live'. The list has all serial ports, even those without an \
            accelerometer.

              footfall devices
              footfall devices --output json
            """)

    @OptionGroup var output: OutputOptions

    func run() {
        let devices = AttachedDevice.all()
        if devices.isEmpty, output.output == .table {
            return Terminal.note("footfall: this machine has no serial port and no accelerometer.")
        }
        output.print(devices.map(Devices.record), columns: TableDescription.devices.names) {
            Devices.table(devices).text
        }
    }

    private static func table(_ devices: [AttachedDevice]) -> TextTable {
        var table = TextTable("device", "file", "name", "driver", "USB", ">Hz", "")
        for device in devices {
            table.add(
                device.address.description, device.path,
                [device.manufacturer, device.name].compactMap(\.self).joined(separator: " ").escaped,
                device.driver ?? "",
                device.usbIdentifier ?? "",
                device.sampleRate.map { $0.formatted(decimals: 1) } ?? "",
                device.isPermitted ? "" : Color.yellow("no permission"))
        }
        return table
    }

    private static func record(_ device: AttachedDevice) -> Record {
        var isAccelerometer = false
        if case .iio = device.address { isAccelerometer = true }
        return [
            ("device", .string(device.address.description)), ("kind", .string(isAccelerometer ? "iio" : "serial")),
            ("file", .string(device.path)), ("name", .text(device.name)), ("manufacturer", .text(device.manufacturer)),
            ("driver", .text(device.driver)), ("usb", .text(device.usbIdentifier)),
            ("sampleRate", .number(device.sampleRate, decimals: 2)),
            ("permitted", .bool(device.isPermitted)),
        ]
    }
}
