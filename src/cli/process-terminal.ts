import { constants } from 'node:os';
import { Writable } from 'node:stream';
import { systemClock } from '../lib/time/clock.ts';
import { EXIT } from '../program/exit-codes.ts';
import { INTERRUPTED } from './cli-problem.ts';
import type { RunOptions, Terminal } from './terminal.ts';

const STANDARD_COLUMNS = 80;
const STANDARD_ROWS = 24;

/** https://no-color.org: any value that is not empty. */
function wantsColour({ NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv, canMove: boolean): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR && FORCE_COLOR !== '0') return true;
  return canMove;
}

async function ask(question: string, { isSecret = false }: { readonly isSecret?: boolean } = {}) {
  const { createInterface } = await import('node:readline/promises');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? nowhere : process.stderr,
    terminal: true,
  });
  // Ctrl-C while it is asked ends the program, as everywhere.
  lines.once('SIGINT', () => {
    process.stderr.write('\n');
    process.exit(INTERRUPTED);
  });
  // The interface writes over its line, so the question has to be its own; that of a secret goes nowhere, like what is typed.
  if (isSecret) process.stderr.write(question);
  try {
    return await lines.question(question);
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function onInterrupt(callback: () => void): () => void {
  for (const signal of ENDING) process.on(signal, callback);
  return () => {
    for (const signal of ENDING) process.off(signal, callback);
  };
}

/** What shells add to the number of a signal that ended a program. */
const BY_SIGNAL = 128;

async function run(
  program: string,
  args: readonly string[],
  { environment, signal }: RunOptions,
): Promise<number> {
  const { spawn } = await import('node:child_process');
  const child = spawn(program, args, { stdio: 'inherit', env: { ...environment } });
  const end = () => void child.kill('SIGTERM');
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) => resolve(code ?? BY_SIGNAL + constants.signals[by ?? 'SIGKILL']));
  }).finally(() => signal.removeEventListener('abort', end));
}

export function processTerminal(): Terminal {
  const { stdout, stdin, stderr, env } = process;
  const isInteractive = stdout.isTTY === true;
  // One that calls itself dumb knows neither colours nor movements.
  const isDumb = env['TERM'] === 'dumb';
  const canMove = isInteractive && !isDumb;
  // Whoever reads may have seen enough, as head does: that is no failure.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    stderr.write(`hostler: cannot write to stdout: ${error.message}\n`);
    process.exit(EXIT.failed);
  });
  return {
    isInteractive,
    canMove,
    // A terminal that does not know its size, as under script, says 0.
    get columns() {
      return stdout.columns || STANDARD_COLUMNS;
    },
    get rows() {
      return stdout.rows || STANDARD_ROWS;
    },
    hasColour: wantsColour(env, canMove),
    isHeard: stderr.isTTY === true && !isDumb,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    environment: env,
    clock: systemClock,
    write: text => void stdout.write(text),
    tell: text => void stderr.write(text),
    ask,
    readInput,
    onInterrupt,
    run,
  };
}
