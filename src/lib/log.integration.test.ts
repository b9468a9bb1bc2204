import { spawnSync } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import type { Log } from './log.ts';
import { createLog } from './log.ts';

/** Returns the terminal output. */
function terminalText(write: (log: Log) => void): string {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  write(createLog('info', true));
  return stderr.mock.calls.map(([chunk]) => String(chunk)).join('');
}

afterEach(() => {
  vi.restoreAllMocks();
});

const FORGED = '\u001b[2Jx\r\n00:00:00 INFO forged\u0007\u009b1A\u007f\u2028\u202e\u{E0041}';
const forgedError = () => Object.assign(new Error(FORGED), { name: FORGED });

/** Control characters except the newline at the end of a line, other line breaks, and bidirectional marks. */
const CONTROLS = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;

test.each<[string, (log: Log) => void]>([
  ['the message', log => log.info(FORGED)],
  ['a field', log => log.info({ path: FORGED }, 'request')],
  ["a field's name", log => log.info({ [FORGED]: 1 }, 'request')],
  ['a value inside a field', log => log.info({ request: { path: [FORGED] } }, 'request')],
])('the terminal log escapes control characters in %s', (_case, write) => {
  const line = terminalText(write);
  expect(line).toContain('[2Jx');
  expect(line).not.toMatch(CONTROLS);
  expect(line.split('\n')).toHaveLength(2);
});

test('the terminal log escapes control characters in an error and indents its lines', () => {
  const lines = terminalText(log => log.error({ err: forgedError() }, 'failed'))
    .trimEnd()
    .split('\n');
  expect(lines.join('\n')).not.toMatch(CONTROLS);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.slice(1).filter(line => !line.startsWith('    '))).toEqual([]);
});

test('a line on the terminal has time, level, message and fields', () => {
  expect(terminalText(log => log.warn({ host: '10.0.0.1', count: 2 }, 'slow'))).toMatch(
    /^\d\d:\d\d:\d\d warn {2}slow host=10\.0\.0\.1 count=2\n$/,
  );
});

test('a line below the log level is not written', () => {
  expect(terminalText(log => log.debug('quiet'))).toBe('');
});

test.each<[string, unknown, RegExp]>([
  ['an error with its stack', new Error('broken'), /Error: broken\n +at /],
  ['the cause of an error', new Error('broken', { cause: new Error('the disk') }), /Error: the disk/],
  ['a thrown string', 'just text', /just text/],
])('the terminal log shows %s', (_case, err, expected) => {
  expect(terminalText(log => log.error({ err }, 'failed'))).toMatch(expected);
});

test('an error that is its own cause is logged', () => {
  const err = new Error('circular');
  err.cause = err;
  expect(terminalText(log => log.error({ err }, 'failed'))).toContain('circular');
});

test('other properties of an error are never logged', () => {
  const err = Object.assign(new Error('refused'), { code: 'E_NO', config: { password: 'hunter2' } });
  err.cause = Object.assign(new Error('deeper'), { token: 'hunter2' });
  expect(terminalText(log => log.error({ err }, 'failed'))).not.toContain('hunter2');
});

/** Runs the code with a `log` in a child process and returns its output. */
const jsonText = (body: string): string =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)};
       const log = createLog('info', false);
       ${body}`,
    ],
    { encoding: 'utf8' },
  ).stderr;
const messages = (lines: string) =>
  lines
    .split('\n')
    .filter(line => line.startsWith('{"level"'))
    .map(line => JSON.parse(line).msg);

test('the JSON log escapes control characters without changing the values', () => {
  const forged = JSON.stringify(FORGED);
  const lines = jsonText(`log.info({ path: ${forged} }, 'x');`);
  expect(lines).not.toMatch(CONTROLS);
  expect(JSON.parse(lines).path).toBe(FORGED);
});

test('the JSON log writes the level, the time, the fields and the message', () => {
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(JSON.parse(jsonText(`log.info({ a: 1 }, 'x');`))).toEqual({ level: 30, time, a: 1, msg: 'x' });
});

test.each([
  ['ends', ''],
  ['exits', 'process.exit(0);'],
  ['ends with an exception', "throw new Error('broken');"],
  // Fires after the timer of the log.
  ['is killed shortly afterwards', "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20);"],
])('all lines are written when the process %s', (_case, ending) => {
  expect(messages(jsonText(`log.info('one'); log.info('two'); ${ending}`))).toEqual(['one', 'two']);
});

test('an error and the lines before it are written immediately', () => {
  const lines = jsonText(`log.info('before'); log.error('broken'); process.kill(process.pid, 'SIGKILL');`);
  expect(messages(lines)).toEqual(['before', 'broken']);
});

test('the JSON log has code and cause of an error, and no other properties', () => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)};
    const cause = Object.assign(new Error('deeper'), { token: 'hunter2' });
    const err = Object.assign(new Error('refused', { cause }), { code: 'E_NO', password: 'hunter2' });
    createLog('info', false).error({ err, requestId: 'r1' }, 'line\\nbreak');
  `;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  const [line = '', ...rest] = stderr.split('\n');
  expect(rest).toEqual(['']);
  expect(JSON.parse(line)).toEqual({
    level: 50,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    err: {
      type: 'Error',
      message: 'refused',
      code: 'E_NO',
      stack: expect.stringContaining('Error: refused'),
      cause: { type: 'Error', message: 'deeper', stack: expect.stringContaining('Error: deeper') },
    },
    requestId: 'r1',
    msg: 'line\nbreak',
  });
});
