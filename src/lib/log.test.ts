import { spawnSync } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import type { Log } from './log.ts';
import { createLog } from './log.ts';

/** What a person sees on the terminal. */
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

/** C0 but the newline that ends a line, DEL and C1; other breaks of lines, and what turns the direction of text. */
const CONTROLS = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;

test.each<[string, (log: Log) => void]>([
  ['the message', log => log.info(FORGED)],
  ['a field', log => log.info({ path: FORGED }, 'request')],
  ["a field's name", log => log.info({ [FORGED]: 1 }, 'request')],
  ['a value inside a field', log => log.info({ request: { path: [FORGED] } }, 'request')],
])('control characters in %s neither move the cursor nor begin a line', (_where, write) => {
  const line = terminalText(write);
  expect(line).toContain('[2Jx');
  expect(line).not.toMatch(CONTROLS);
  expect(line.split('\n')).toHaveLength(2);
});

test("control characters in an exception's message do not move the cursor, nor look like a line of the log", () => {
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

test('a line below the level is not written', () => {
  expect(terminalText(log => log.debug('quiet'))).toBe('');
});

test.each<[string, unknown, RegExp]>([
  ['an exception with its stack', new Error('broken'), /Error: broken\n +at /],
  ['what caused it', new Error('broken', { cause: new Error('the disk') }), /Error: the disk/],
  ['what was thrown without being an exception', 'just text', /just text/],
])('the terminal shows %s', (_what, err, expected) => {
  expect(terminalText(log => log.error({ err }, 'failed'))).toMatch(expected);
});

test('an exception that is its own cause does not stop the log', () => {
  const err = new Error('circle');
  err.cause = err;
  expect(terminalText(log => log.error({ err }, 'failed'))).toContain('circle');
});

test("an exception's other properties are never logged", () => {
  const err = Object.assign(new Error('refused'), { code: 'E_NO', config: { password: 'hunter2' } });
  err.cause = Object.assign(new Error('deeper'), { token: 'hunter2' });
  expect(terminalText(log => log.error({ err }, 'failed'))).not.toContain('hunter2');
});

/** What a process of its own writes that runs this with a `log`. */
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

test('lines of JSON do nothing to a terminal, and say what they said', () => {
  const forged = JSON.stringify(FORGED);
  const lines = jsonText(
    `log.info({ path: ${forged} }, 'x'); log.writeInfo('"path":' + JSON.stringify(${forged}));`,
  );
  expect(lines).not.toMatch(CONTROLS);
  const paths = lines
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).path);
  expect(paths).toEqual([FORGED, FORGED]);
});

test('fields that are JSON already become a line in the form of all others', () => {
  const [line = '', other = ''] = jsonText(
    `log.writeInfo('"a":1,"msg":"x"'); log.info({ a: 1 }, 'x');`,
  ).split('\n');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(JSON.parse(line)).toEqual({ level: 30, time, a: 1, msg: 'x' });
  expect(JSON.parse(other)).toEqual({ level: 30, time, a: 1, msg: 'x' });
});

test.each([
  ['comes to its end', ''],
  ['exits', 'process.exit(0);'],
  ['dies of an exception', "throw new Error('broken');"],
  // Timers come in their order: this one after the log's own.
  ['is killed a moment later', "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20);"],
])('everything is written when the process %s', (_how, ending) => {
  expect(messages(jsonText(`log.info('one'); log.info('two'); ${ending}`))).toEqual(['one', 'two']);
});

test('an error, and what came before it, is written at once', () => {
  const lines = jsonText(`log.info('before'); log.error('broken'); process.kill(process.pid, 'SIGKILL');`);
  expect(messages(lines)).toEqual(['before', 'broken']);
});

test('without a terminal each line is JSON, an exception in it with its code and cause and nothing else of it', () => {
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
