import { constants } from 'node:os';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { lookupName } from '../../lib/lookup-name.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { EXIT_INTERRUPTED } from '../errors.ts';
import { EXIT_CODES } from '../program.ts';
import type { RunOptions, Terminal } from './terminal.ts';

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** See https://no-color.org: any value that is not empty. */
function shouldUseColor({ NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv, supportsCursor: boolean): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR && FORCE_COLOR !== '0') return true;
  return supportsCursor;
}

async function prompt(question: string, { isSecret = false }: { readonly isSecret?: boolean } = {}) {
  const { createInterface } = await import('node:readline/promises');
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: isSecret ? discard : process.stderr, terminal: true });
  // Ctrl-C at a prompt ends the program.
  reader.once('SIGINT', () => {
    process.stderr.write('\n');
    process.exit(EXIT_INTERRUPTED);
  });
  // readline prints the question itself, because it redraws the line. For a secret its output is discarded.
  if (isSecret) process.stderr.write(question);
  try {
    return await reader.question(question);
  } finally {
    reader.close();
    if (isSecret) process.stderr.write('\n');
  }
}

const TERMINATION_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function onInterrupt(callback: () => void): () => void {
  for (const signal of TERMINATION_SIGNALS) process.on(signal, callback);
  return () => {
    for (const signal of TERMINATION_SIGNALS) process.off(signal, callback);
  };
}

/** Shells add the signal number to this value. */
const SIGNAL_EXIT_BASE = 128;

async function run(program: string, args: readonly string[], { environment, signal }: RunOptions): Promise<number> {
  const { spawn } = await import('node:child_process');
  const child = spawn(program, args, { stdio: 'inherit', env: { ...environment } });
  const terminate = () => void child.kill('SIGTERM');
  if (signal.aborted) terminate();
  signal.addEventListener('abort', terminate);
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signalName) =>
      resolve(code ?? SIGNAL_EXIT_BASE + constants.signals[signalName ?? 'SIGKILL']),
    );
  }).finally(() => signal.removeEventListener('abort', terminate));
}

export function processTerminal(): Terminal {
  const { stdout, stdin, stderr, env } = process;
  const isStdoutTty = stdout.isTTY === true;
  // A dumb terminal supports neither colours nor cursor movement.
  const isDumb = env['TERM'] === 'dumb';
  const supportsCursor = isStdoutTty && !isDumb;
  // A reader such as head can close the pipe early. This is not an error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_CODES.done);
    stderr.write(`hostler: cannot write to stdout: ${error.message}\n`);
    process.exit(EXIT_CODES.failed);
  });
  return {
    isStdoutTty,
    supportsCursor,
    // A terminal of unknown size, for example under script, reports 0.
    get columns() {
      return stdout.columns || DEFAULT_COLUMNS;
    },
    get rows() {
      return stdout.rows || DEFAULT_ROWS;
    },
    hasColor: shouldUseColor(env, supportsCursor),
    isStderrTty: stderr.isTTY === true && !isDumb,
    canPrompt: stdin.isTTY === true && stderr.isTTY === true,
    environment: env,
    clock: systemClock,
    writeOut: text => void stdout.write(text),
    writeErr: text => void stderr.write(text),
    prompt,
    readStdin: async () => (await buffer(stdin)).toString('utf8'),
    lookup: lookupName,
    onInterrupt,
    run,
  };
}
