import Foundation
import TestSupport
import Testing

/// The broker mosquitto, which Debian's packages `mosquitto` and `mosquitto-clients` have.
@Suite("An MQTT broker")
struct BrokerTests {
    private static let isInstalled =
        (try? shell("PATH=$PATH:/usr/sbin; command -v mosquitto mosquitto_pub mosquitto_sub"))?.status == 0

    @Test(
        "delivers each line of `live --output ndjson`, in order",
        .enabled(if: isInstalled, "mosquitto and mosquitto-clients are not installed"))
    func lines() throws {
        let folder = try Folder()
        try folder.write(
            "broker.conf",
            """
            listener 0 \(folder.path("broker"))
            allow_anonymous true
            # Root would become another user, who cannot write into this folder.
            user root
            # A replay is faster than a sensor.
            max_queued_messages 0

            """)
        // Each wait is for a condition, a minute at most.
        let run = try shell(
            """
            cd '\(folder.url.path)' && PATH=$PATH:/usr/sbin
            mosquitto -c broker.conf 2>log & broker=$!
            for try in $(seq 1200); do [ -S broker ] && break; sleep 0.05; done
            mosquitto_sub --unix broker -t footfall/pocket >received & subscriber=$!
            # Processes of a test may inherit a blocked SIGTERM.
            trap 'kill -KILL $broker $subscriber' EXIT
            # A first message shows that the subscription holds.
            for try in $(seq 1200); do
                grep -q ready received && break
                mosquitto_pub --unix broker -t footfall/pocket -m ready
                sleep 0.05
            done
            '\(executable.path)' live --replay '\(RecordedHistory.trace("walk-wrist"))' --speed max --output ndjson \
                --history history.sqlite | tee sent | mosquitto_pub --unix broker -l -t footfall/pocket
            for try in $(seq 1200); do
                [ "$(grep -vc ready received)" -ge "$(wc -l <sent)" ] && break
                sleep 0.05
            done
            """)
        let received = try folder.text("received").split(separator: "\n").filter { $0 != "ready" }
        let sent = try folder.text("sent").split(separator: "\n")
        let log = try folder.text("log")
        #expect(sent.count > 300, "\(run.errors) \(log)")
        #expect(received == sent)
    }
}
