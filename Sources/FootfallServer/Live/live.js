"use strict";
(() => {
  const live = document.getElementById("live"), trails = document.getElementById("trails");
  // The pictures are open on the first visit only.
  try {
    trails.open = !localStorage.seen;
    localStorage.seen = "yes";
  } catch { /* The browser keeps nothing. */ }
  // A page of an empty history has no source until the first recording.
  const source = () => document.body.dataset.source;
  const set = (name, text) => {
    const place = document.getElementById("live-" + name);
    if (place.textContent !== text) place.textContent = text;
  };
  let revision = null, isLoading = false, due = null;
  // The server renders the sections again. Open tables stay open, and the focus stays where it is.
  const refresh = async () => {
    if (isLoading) return;
    isLoading = true;
    try {
      const answer = await fetch(location.href);
      if (!answer.ok) throw answer.status;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
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
  // What waits for its recording is on the page within two seconds, too.
  const refreshSoon = () => {
    due ??= setTimeout(() => { due = null; refresh(); }, 2000);
  };
  // The newest state, and when it arrived. The server sends one at least every second while it runs.
  let state = null, arrival = 0;
  // The seconds without a signal; null while there is one.
  const silence = () => {
    const age = (performance.now() - arrival) / 1000;
    return state.silence !== null ? state.silence + age : age < 3 ? null : age;
  };
  const duration = (seconds) => seconds < 60 ? Math.round(seconds) + " s"
    : seconds < 3600 ? Math.floor(seconds / 60) + " min " + Math.floor(seconds % 60) + " s"
    : Math.floor(seconds / 3600) + " h " + Math.floor(seconds / 60 % 60) + " min";
  const show = () => {
    if (!state) return;
    const seconds = silence(), isLost = seconds !== null;
    live.hidden = false;
    live.classList.toggle("lost", isLost);
    set("activity", isLost ? "activity unknown"
      : state.activity + (state.confidence ? ", " + state.confidence + " confidence" : ""));
    set("cadence", isLost || state.cadence === null ? "" : Math.round(state.cadence) + " steps/min");
    set("signal", isLost ? "no signal for " + duration(seconds)
      : (state.sampleRate === null ? "" : state.sampleRate.toFixed(1) + " Hz")
        + (state.dropped ? ", " + state.dropped + " samples dropped" : ""));
  };
  setInterval(show, 1000);
  const updates = new EventSource("/api/v1/live");
  updates.addEventListener("update", (event) => {
    const update = JSON.parse(event.data);
    if (update.revision !== revision && (revision !== null || !source())) refresh();
    else if (update.events.length > 0) refreshSoon();
    revision = update.revision;
    if (!update.state || (source() && update.source !== source())) return;
    state = update.state;
    arrival = performance.now();
    show();
  });
  // Four frames a second while someone looks and there is a signal. Each one draws the pictures again.
  const line = (values, x, y) => {
    let path = "", isOpen = false;
    values.forEach((value, i) => {
      if (value !== null) path += (isOpen ? "L" : "M") + x(i).toFixed(1) + "," + y(value).toFixed(1);
      isOpen = value !== null;
    });
    return path;
  };
  const draw = (name, kind, path) =>
    document.querySelector("#" + name + " ." + kind).setAttribute("d", path);
  const drawFrame = (frame) => {
    const most = Math.max(2, ...frame.magnitudes), count = frame.magnitudes.length;
    const values = document.querySelectorAll("#trail .values span");
    values[0].textContent = +most.toFixed(1);
    values[1].textContent = +(most / 2).toFixed(1);
    draw("trail", "line", line(frame.magnitudes, (i) => 1000 * i / (count - 1), (g) => 100 - 98 * g / most));
    draw("trail", "marks", frame.steps.map((age) =>
      "M" + (1000 * (1 - age / frame.seconds)).toFixed(1) + ",0v9").join(""));
    const ages = frame.cadences.map(([age]) => age);
    draw("pace", "line", line(frame.cadences.map(([, cadence]) => cadence),
      (i) => 1000 * (1 - ages[i] / frame.cadenceSeconds), (cadence) => 100 - 98 * Math.min(1, cadence / 200)));
    trails.hidden = count === 0;
  };
  let isDrawing = false, isDrawn = false;
  setInterval(async () => {
    if (live.hidden || document.hidden || isDrawing) return;
    if (isDrawn && (silence() !== null || !trails.open)) return;
    isDrawing = true;
    try {
      drawFrame(await (await fetch("/api/v1/trail")).json());
      isDrawn = true;
    } catch { /* The next frame tries again. */ }
    isDrawing = false;
  }, 250);
})();
