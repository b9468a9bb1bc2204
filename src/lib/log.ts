import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { pino } from 'pino';
import { errorCode } from './errors.ts';
import { escapeInvisible, escapeInvisibleJson } from './sanitize.ts';

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

/** A longer chain of causes is most likely circular. */
const MAX_CAUSES = 5;

/** Omits other properties of the error: libraries may store secrets there. */
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

/** Untrusted text could otherwise move the cursor, forge a line or reverse the text. */
const escapeLine = (text: string) => escapeInvisible(text, escapeCharacter).replace(/[\n\t]/g, escapeCharacter);

/** Indented, so that no line of an untrusted message looks like a log line. */
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

/** If the reader of a pipe is further behind, lines are dropped. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

/** A full disk, or a slow or closed reader, must not stop the service. */
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
      // There is no other place to report the error.
    }
  };
}

const STDERR = 2;
const FLUSH_INTERVAL_MS = 10;
/** Matches lines of pino with the level error or fatal. */
const ERROR_LINE = /^\{"level":[56]0,/;

/** A system call per line is expensive under load. An unhandled signal loses pending lines. */
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

function timeNow(): string {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastTime = new Date(nowMs).toISOString();
  }
  return lastTime;
}

export function createLog(level: LogLevel, isTerminal: boolean): Log {
  const output = isTerminal ? createTerminalOutput() : createJsonOutput();
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${timeNow()}"`,
      serializers: { err: error => describeError(error, MAX_CAUSES) },
    },
    output,
  );
}
