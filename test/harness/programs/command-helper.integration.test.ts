import { describe, expect, test } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { runCommandInHelper } from './command-helper.ts';

const run = (argv: Argv, input = '') => runCommandInHelper(argv, { env: { PATH: process.env['PATH'] }, input });

describe('runCommandInHelper', () => {
  test('returns the exit code and the bytes of both outputs', async () => {
    const result = await run(['sh', '-c', String.raw`printf '\377'; printf error >&2; exit 3`]);
    expect(result).toEqual({ exitCode: 3, stdout: Buffer.from([0xff]), stderr: Buffer.from('error') });
  });

  test('passes the input to the command', async () => {
    expect(await run(['cat'], 'some text')).toMatchObject({ exitCode: 0, stdout: Buffer.from('some text') });
  });

  test('succeeds if the program does not read its input', async () => {
    expect(await run(['true'], 'x'.repeat(1_000_000))).toMatchObject({ exitCode: 0 });
  });

  test('returns the results of concurrent commands to their callers', async () => {
    const results = await Promise.all(
      ['0.2', '0.1', '0'].map(delay => run(['sh', '-c', `sleep ${delay}; echo ${delay}`])),
    );
    expect(results.map(({ stdout }) => stdout.toString())).toEqual(['0.2\n', '0.1\n', '0\n']);
  });

  test('fails if the program does not exist', async () => {
    await expect(run(['/nonexistent/program'])).rejects.toThrow('ENOENT');
  });

  test('fails a command whose helper ends, and starts a new helper for the next', async () => {
    await expect(run(['sh', '-c', 'kill -KILL $PPID'])).rejects.toThrow('the helper process ended');
    expect(await run(['true'])).toMatchObject({ exitCode: 0 });
  });
});
