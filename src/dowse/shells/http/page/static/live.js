// What happens meanwhile? Listens to the server for a new state of the index and for jobs, and comes back quietly when cut off.
import { headers } from "./asking.js";
import { number } from "./words.js";

// Milliseconds to wait before listening again; twice as long each time, up to half a minute.
const [SOON, LATE] = [1000, 30000];
const FINAL = ["done", "failed", "cancelled"];

export const jobs = new Map();
let generation = null;

// Calls back for every new generation of the index, with whether it is the first one heard of, and for every word of a job.
// A fetch, because that can carry a token.
export async function listen(onIndex, onJob) {
  for (let pause = SOON; ; pause = Math.min(pause * 2, LATE)) {
    try {
      const answer = await fetch("/api/events", { headers: { ...headers(), Accept: "text/event-stream" } });
      if (answer.ok) {
        pause = SOON;
        await hear(answer.body, onIndex, onJob);
      }
    } catch {
      // The server is away; it may come back.
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function hear(body, onIndex, onJob) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) take(event, onIndex, onJob);
  }
}

function take(event, onIndex, onJob) {
  const fields = Object.fromEntries(
    event.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  if (!fields.data) return;
  const data = JSON.parse(fields.data);
  if (fields.event === "generation") {
    if (data.generation !== generation) onIndex(data.generation, generation === null);
    generation = data.generation;
  } else if (fields.event === "job") {
    jobs.set(data.id, told(data));
    onJob();
  }
}

function told(job) {
  const far = job.progress ?? {};
  const share = far.bytesTotal ? far.bytes / far.bytesTotal : far.total ? far.done / far.total : null;
  const count = far.filesTotal
    ? `${number(far.files)} of ${number(far.filesTotal)} files`
    : far.total
      ? `${number(far.done)} of ${number(far.total)}`
      : "";
  const state = { done: "good", failed: "bad", cancelled: "warn" }[job.state] ?? "busy";
  const said = FINAL.includes(job.state)
    ? (job.problem?.detail ?? job.state)
    : [far.stage ?? job.state, count].filter(Boolean).join(", ");
  return { name: job.operation.replace(/_/g, " "), state, said, share: FINAL.includes(job.state) ? null : share };
}
