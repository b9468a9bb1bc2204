import { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { pino } from 'pino';

export type Log = Logger;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface DescribedError {
  readonly type?: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string | undefined;
  readonly cause?: DescribedError;
}

/** More causes of causes than this are most likely a circle. */
const MAX_CAUSES = 5;

/** What is said of an exception: not its other properties, since nobody knows what a library puts there. */
function describeError(error: unknown, causesLeft: number): DescribedError {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  const hasCause = error.cause !== undefined && causesLeft > 0;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    ...(hasCause && { cause: describeError(error.cause, causesLeft - 1) }),
  };
}

/** Control characters would let what somebody else wrote move the reader's cursor. */
const harmless = (text: string) =>
  text.replace(/\p{Cc}/gu, sign => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Set in, so that no line of somebody else's message looks like one of ours. */
function traceOf(error: DescribedError | undefined): string {
  if (error === undefined) return '';
  const lines = (error.stack ?? error.message).split('\n').map(line => `\n    ${harmless(line)}`);
  return lines.join('') + traceOf(error.cause);
}

function readableLine(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line);
  const label = pino.levels.labels[level] ?? String(level);
  const rest = Object.entries(fields).map(([key, value]) =>
    harmless(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  );
  return `${String(time).slice(11, 19)} ${label.padEnd(5)} ${harmless(String(msg ?? ''))} ${rest.join(' ')}${traceOf(err)}\n`;
}

const terminal = () =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      process.stderr.write(readableLine(chunk.toString()));
      done();
    },
  });

/**
 * Writes the lines of one turn of the event loop at once: under load a line costs a fraction of a system call, and a line that comes
 * alone is written as soon. A process that ends, in whatever way but by SIGKILL, has written everything.
 */
function jsonLines() {
  const destination = pino.destination({ dest: 2, sync: true });
  let waiting = '';
  const write = () => {
    if (waiting !== '') destination.write(waiting);
    waiting = '';
  };
  process.on('exit', write);
  return {
    write(line: string) {
      if (waiting === '') setImmediate(write);
      waiting += line;
    },
  };
}

/** The time as pino wants it; made once for all lines of a millisecond. */
function isoTime(): () => string {
  let [lastMs, text] = [0, ''];
  return () => {
    const nowMs = Date.now();
    if (nowMs !== lastMs) {
      lastMs = nowMs;
      text = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return text;
  };
}

/** Writes to standard error: lines to read on a terminal, JSON otherwise. */
export const createLog = (level: LogLevel, isTerminal: boolean): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: isoTime(),
      serializers: { err: error => describeError(error, MAX_CAUSES) },
    },
    isTerminal ? terminal() : jsonLines(),
  );
