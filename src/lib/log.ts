import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { pino } from 'pino';
import { errorCode } from './errors.ts';
import { escapeInvisible, escapeInvisibleJson } from './sanitize.ts';

/** `writeInfo` takes fields that are JSON already, past everything that a logger does for others. */
export type Log = Logger & { writeInfo(fields: string): void };

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
  const code = errorCode(error);
  const hasCause = error.cause !== undefined && causesLeft > 0;
  return {
    type: error.name,
    message: error.message,
    ...(code !== '' && { code }),
    stack: error.stack,
    ...(hasCause && { cause: describeError(error.cause, causesLeft - 1) }),
  };
}

const escapeCharacter = (character: string) => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
};

/** What is not seen would let what somebody else wrote move the reader's cursor, begin a line, or turn the words around. */
const escapeLine = (text: string) =>
  escapeInvisible(text, escapeCharacter).replace(/[\n\t]/g, escapeCharacter);

/** Set in, so that no line of somebody else's message looks like one of ours. */
function formatStack(error: DescribedError | undefined): string {
  if (error === undefined) return '';
  const lines = (error.stack ?? error.message).split('\n').map(line => `\n    ${escapeLine(line)}`);
  return lines.join('') + formatStack(error.cause);
}

function formatLine(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line);
  const label = pino.levels.labels[level] ?? String(level);
  const rest = Object.entries(fields).map(([key, value]) =>
    escapeLine(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  );
  return `${String(time).slice(11, 19)} ${label.padEnd(5)} ${escapeLine(String(msg ?? ''))} ${rest.join(' ')}${formatStack(err)}\n`;
}

const createTerminalOutput = () =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      process.stderr.write(formatLine(chunk.toString()));
      done();
    },
  });

/** How much a reader may be behind; what comes then is lost. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

/** Whoever reads the log, or does not, must not stop the service: neither a full disk nor a reader that is slow, or gone. */
function createStderrWriter(): (text: string) => void {
  const target = fstatSync(STDERR);
  if (target.isFIFO() || target.isSocket()) {
    process.stderr.on('error', () => {});
    return text => {
      if (process.stderr.writableLength < MAX_BACKLOG_BYTES) process.stderr.write(text);
    };
  }
  return text => {
    try {
      writeSync(STDERR, text);
    } catch {
      // There is no other place to say it.
    }
  };
}

const STDERR = 2;
const FLUSH_INTERVAL_MS = 10;
/** How pino begins the lines of errors, and worse. */
const ERROR_LINE = /^\{"level":[56]0,/;

/**
 * Writes the lines of a hundredth of a second at once: under load a line costs a fraction of a system call. What is an error is
 * written at once, and a process that exits, also by an exception, has written everything. A signal that nobody handles loses what waits.
 */
function createJsonOutput() {
  const writeText = createStderrWriter();
  let pending = '';
  const write = () => {
    if (pending !== '') writeText(pending);
    pending = '';
    process.off('exit', write);
  };
  return {
    write(line: string) {
      if (pending === '') {
        setTimeout(write, FLUSH_INTERVAL_MS);
        process.on('exit', write);
      }
      pending += escapeInvisibleJson(line);
      if (ERROR_LINE.test(line)) write();
    },
  };
}

let [lastMs, lastTime] = [0, ''];

/** The time of a line; made once for all lines of a millisecond. */
function timeNow(): string {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastTime = new Date(nowMs).toISOString();
  }
  return lastTime;
}

/** Writes to standard error: lines to read on a terminal, JSON otherwise. */
export function createLog(level: LogLevel, isTerminal: boolean): Log {
  const output = isTerminal ? createTerminalOutput() : createJsonOutput();
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${timeNow()}"`,
      serializers: { err: error => describeError(error, MAX_CAUSES) },
    },
    output,
  );
  const writeInfo = (fields: string) =>
    void output.write(`{"level":${pino.levels.values['info']},"time":"${timeNow()}",${fields}}\n`);
  return Object.assign(log, { writeInfo });
}
