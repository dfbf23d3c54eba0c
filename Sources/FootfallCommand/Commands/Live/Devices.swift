import ArgumentParser
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallTables
import Foundation

/// `footfall devices`: the sensors that `footfall live` can read.
struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the serial ports and accelerometers of this machine.",
        discussion: """
            The first column is the argument of 'footfall live'. The list has all serial ports, even those without an \
            accelerometer.

              footfall devices
              footfall devices --output json
              footfall devices --rule /dev/ttyUSB0 | sudo tee /etc/udev/rules.d/70-footfall.rules
            """)

    @Option("Print the udev rule that names this port /dev/footfall.", "device") var rule: String?
    @OptionGroup var output: OutputOptions

    func run() throws {
        let devices = AttachedDevice.all()
        if let rule { return try Self.printRule(rule, of: devices) }
        if devices.isEmpty, output.output == .table {
            return Terminal.note("this machine has no serial port and no accelerometer.")
        }
        output.print(devices, AttachedDevice.table) {
            let table = TextTable(
                devices, of: AttachedDevice.table, WallClock(zone: .gmt),
                [
                    TextColumn("device"), TextColumn("file", goes: 0),
                    TextColumn("name") {
                        [$0.manufacturer, $0.name].compactMap(\.self).joined(separator: " ").escaped
                    },
                    TextColumn("driver", goes: 1), TextColumn("usb", as: "USB", goes: 2),
                    TextColumn("sampleRate", as: "Hz", goes: 3) { $0.sampleRate?.formatted(decimals: 1) ?? "" },
                    TextColumn { $0.isPermitted ? "" : Color.yellow("no permission") },
                ])
            return table.text
        }
    }

    private static func printRule(_ name: String, of devices: [AttachedDevice]) throws {
        let device = devices.first { $0.path == name || $0.address.description == name }
        guard let rule = device?.udevRule else {
            throw ValidationError("--rule \(name): no such serial port. Name one that 'footfall devices' lists.")
        }
        Terminal.out("# Written by 'footfall devices --rule \(name)'.\n\(rule)\n")
    }
}

extension AttachedDevice {
    static let table = Table<AttachedDevice>(
        "devices", row: "a serial port or an accelerometer",
        [
            .text("device", "The argument of live.") { $0.address.description },
            .text("kind", "serial or iio.") { device in
                if case .iio = device.address { "iio" } else { "serial" }
            },
            .text("file", "The file of the device.") { $0.path },
            .text("name", "The name of the product.") { $0.name },
            .text("manufacturer", "The manufacturer.") { $0.manufacturer },
            .text("driver", "The driver of the kernel.") { $0.driver },
            .text("usb", "The vendor and the product on USB, such as 2341:0043.") { $0.usbIdentifier },
            .number("sampleRate", "Hz", decimals: 2, "The rate to which the device is set.") { $0.sampleRate },
            .flag("permitted", "Whether the user may read it.") { $0.isPermitted },
        ])
}
