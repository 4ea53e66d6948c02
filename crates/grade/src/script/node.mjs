// Runs one script in Node for `--custom-runtime node`: one line of JSON in, one line of JSON out.
// The script runs in a worker, so that it can be stopped, limited and told apart from this protocol;
// when standard input closes, whoever asked is gone, and so are we.
import { Worker } from 'node:worker_threads';

const inWorker = `
const log = [];
const answer = async () => {
  const { workerData } = await import('node:worker_threads');
  const { format } = await import('node:util');
  let logged = 0;
  const write = (...values) => {
    if (logged >= 16384) return;
    const line = format(...values).slice(0, 16384 - logged);
    logged += line.length + 1;
    log.push(line);
  };
  for (const name of ['debug', 'error', 'info', 'log', 'trace', 'warn']) console[name] = write;
  const module = await import(workerData.url);
  if (typeof module.default !== 'function') return { noFunction: true };
  if (workerData.context === null) return {};
  const output = workerData.text ?? JSON.parse(workerData.json);
  const value = await module.default(output, ...workerData.context.map((json) => JSON.parse(json)));
  return { value: JSON.stringify(value) };
};
answer()
  .catch((thrown) => ({ threw: String(thrown?.stack ?? thrown) }))
  .then(async (reply) => (await import('node:worker_threads')).parentPort.postMessage({ ...reply, log }));
`;

let answered = false;
const answer = (reply) => {
  if (answered) return;
  answered = true;
  process.stdout.write(JSON.stringify(reply) + '\n', () => process.exit(0));
};

const start = ({ memoryMiB, ...workerData }) => {
  const worker = new Worker(inWorker, {
    eval: true,
    workerData,
    stdout: true,
    stderr: true,
    env: process.env,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  worker.on('message', answer);
  worker.on('error', (error) =>
    answer(error?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { memory: true } : { threw: String(error?.stack ?? error) }),
  );
  worker.on('exit', () => answer({ never: true }));
};

let text = '';
let started = false;
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  if (started) return;
  text += chunk;
  const end = text.indexOf('\n');
  if (end < 0) return;
  started = true;
  start(JSON.parse(text.slice(0, end)));
});
process.stdin.on('end', () => process.exit(3));
