/// The script of the page: it fills in the live state, and replaces the sections that change with the history.
enum LiveScript {
    static let text = """
        "use strict";
        (() => {
          const live = document.getElementById("live");
          // A page of an empty history has no source until the first recording.
          const source = () => document.body.dataset.source;
          const set = (name, text) => {
            const place = document.getElementById("live-" + name);
            if (place.textContent !== text) place.textContent = text;
          };
          let revision = null, isLoading = false;
          // The server renders the sections again. Open tables stay open, and the focus stays where it is.
          const refresh = async () => {
            if (isLoading) return;
            isLoading = true;
            try {
              const page = await (await fetch(location.href)).text();
              const fresh = new DOMParser().parseFromString(page, "text/html");
              document.body.dataset.source = fresh.body.dataset.source;
              document.title = fresh.title;
              for (const part of document.querySelectorAll("[id^=part-]")) {
                const next = fresh.getElementById(part.id);
                if (!next || part.contains(document.activeElement)) continue;
                const tables = next.querySelectorAll("details");
                part.querySelectorAll("details").forEach((old, i) => { if (tables[i]) tables[i].open = old.open; });
                if (part.innerHTML !== next.innerHTML) part.replaceWith(document.adoptNode(next));
              }
            } catch { /* The next change tries again. */ }
            isLoading = false;
          };
          const updates = new EventSource("/api/v1/live");
          updates.addEventListener("update", (event) => {
            const update = JSON.parse(event.data);
            if (update.revision !== revision && (revision !== null || !source())) refresh();
            revision = update.revision;
            const state = update.state;
            if (!state || (source() && update.source !== source())) return;
            live.hidden = false;
            set("steps", String(state.steps));
            set("steps-more", "since the recording started; those below are recorded every 20 s");
            set("activity", state.activity);
            set("activity-more", state.confidence ? state.confidence + " confidence" : "");
            set("cadence", state.cadence === null ? "\\u2013" : String(Math.round(state.cadence)));
            set("cadence-more", "steps per minute");
            set("signal", state.sampleRate === null ? "\\u2013" : state.sampleRate.toFixed(1) + " Hz");
            set("signal-more", state.dropped + " samples dropped");
          });
          updates.onerror = () => { if (!live.hidden) set("signal", "connection lost"); };
        })();

        """
}
