import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import { CONNECTION_LIMITS, SshdFixture } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import type { Argv } from '../../../domain/command.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { createOpenSshTransport } from './openssh-transport.ts';

describeWithSshd('OpenSshConnection', () => {
  const fixture = new SshdFixture();
  const open = async (...config: string[]) =>
    fixture.connectOrThrow(createOpenSshTransport(), (await fixture.start({ config })).target);
  const shell = (script: string): Argv => ['sh', '-c', script];

  test.each([
    ['exit 255', 255, ''],
    ['exit 254', 254, ''],
    ['kill -9 $$', 137, ''],
    ['kill -15 $$', 143, ''],
    ['printf err >&2; exit 1', 1, 'err'],
  ])('returns the exit code and exact output of "%s"', async (script, exitCode, stderr) => {
    const result = await (await open()).run(shell(script), CONNECTION_LIMITS);
    expect(result).toEqual({ exitCode, stdout: Buffer.alloc(0), stderr: Buffer.from(stderr) });
  });

  test('runs programs instead of shell builtins', async () => {
    const connection = await open();
    expect(await connection.run(['exit', '3'], CONNECTION_LIMITS)).toMatchObject({ exitCode: 127 });
    expect(await fixture.output(connection, 'printf', 'in')).toBe('in');
  });

  test('does not wait for background processes of a command', async () => {
    const pid = Number(await fixture.output(await open(), ...shell('sleep 600 & echo $!')));
    expect(pid).toBeGreaterThan(1);
    process.kill(pid, 'SIGKILL');
  });

  test('reports a host that opens no more sessions', async () => {
    const connection = await open('MaxSessions 1');
    expect(await connection.run(['true'], CONNECTION_LIMITS)).toMatchObject({ exitCode: 0 });
    const results = await Promise.all([
      connection.run(['sleep', '30'], CONNECTION_LIMITS),
      connection.run(['sleep', '30'], CONNECTION_LIMITS),
    ]);
    const details = results.map(result => (result instanceof TransportFailure ? result.detail : ''));
    expect(details.join()).toMatch(/opens no more sessions on this connection \(MaxSessions/);
  });

  test('reports a login that does not run the shell', async () => {
    const connection = await open('ForceCommand echo this account is locked; exit 1');
    expect(await connection.run(['true'], CONNECTION_LIMITS)).toMatchObject({
      kind: 'no_shell',
      detail: expect.stringMatching(/does not run \/bin\/sh and exited with 1: this account is locked/),
    });
  });

  test('removes the output before the command', async () => {
    const connection = await open('ForceCommand echo Welcome; echo Beware >&2; exec /bin/sh', 'Banner /etc/hostname');
    expect(await connection.run(['printf', 'in'], CONNECTION_LIMITS)).toMatchObject({
      stdout: Buffer.from('in'),
      stderr: Buffer.alloc(0),
    });
  });

  test('sends no command if mayProceed returns false after the session is open', async () => {
    let calls = 0;
    const mayProceed = () => ++calls < 2;
    const file = fixture.filePath('touched');
    const result = await (await open()).run(['touch', file], { ...CONNECTION_LIMITS, mayProceed });
    expect([result, calls]).toEqual([expect.objectContaining({ kind: 'unreachable' }), 2]);
    expect(existsSync(file)).toBe(false);
  });
});
