import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SshVisits, VISIT_LIMITS } from '../../../../test/harness/ssh/ssh-visits.ts';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import type { Argv } from '../../../domain/command.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { createOpenSshTransport } from './openssh-transport.ts';

describeWithSshd('a connection of the transport openssh', () => {
  const visits = new SshVisits();
  const open = async (...config: string[]) =>
    visits.enter(createOpenSshTransport(), (await visits.start({ config })).target);
  const shell = (script: string): Argv => ['sh', '-c', script];

  test.each([
    ['exit 255', 255, ''],
    ['exit 254', 254, ''],
    ['kill -9 $$', 137, ''],
    ['kill -15 $$', 143, ''],
    ['printf err >&2; exit 1', 1, 'err'],
  ])('tells how "%s" ended, and adds nothing to what it said', async (script, exitCode, words) => {
    const result = await (await open()).run(shell(script), VISIT_LIMITS);
    expect(result).toEqual({ exitCode, stdout: Buffer.alloc(0), stderr: Buffer.from(words) });
  });

  test('runs programs, not what the shell has by the same name', async () => {
    const connection = await open();
    expect(await connection.run(['exit', '3'], VISIT_LIMITS)).toMatchObject({ exitCode: 127 });
    expect(await visits.output(connection, 'printf', 'in')).toBe('in');
  });

  test('does not wait for what a command leaves behind', async () => {
    const pid = Number(await visits.output(await open(), ...shell('sleep 600 & echo $!')));
    expect(pid).toBeGreaterThan(1);
    process.kill(pid, 'SIGKILL');
  });

  test('tells of a host that opens no further session', async () => {
    const connection = await open('MaxSessions 1');
    expect(await connection.run(['true'], VISIT_LIMITS)).toMatchObject({ exitCode: 0 });
    const answers = await Promise.all([
      connection.run(['sleep', '30'], VISIT_LIMITS),
      connection.run(['sleep', '30'], VISIT_LIMITS),
    ]);
    const details = answers.map(answer => (answer instanceof TransportFailure ? answer.detail : ''));
    expect(details.join()).toMatch(/opens no more sessions on this connection \(MaxSessions/);
  });

  test('tells of a login that runs something else than the shell', async () => {
    const connection = await open('ForceCommand echo this account is locked; exit 1');
    expect(await connection.run(['true'], VISIT_LIMITS)).toMatchObject({
      kind: 'no_shell',
      detail: expect.stringMatching(/does not run \/bin\/sh and exited with 1: this account is locked/),
    });
  });

  test('cuts off what a login prints before', async () => {
    const connection = await open(
      'ForceCommand echo Welcome; echo Beware >&2; exec /bin/sh',
      'Banner /etc/hostname',
    );
    expect(await connection.run(['printf', 'in'], VISIT_LIMITS)).toMatchObject({
      stdout: Buffer.from('in'),
      stderr: Buffer.alloc(0),
    });
  });

  test('sends no command that may not proceed any more once there is a session', async () => {
    let calls = 0;
    const mayProceed = () => ++calls < 2;
    const mark = visits.inside('touched');
    const answer = await (await open()).run(['touch', mark], { ...VISIT_LIMITS, mayProceed });
    expect([answer, calls]).toEqual([expect.objectContaining({ kind: 'unreachable' }), 2]);
    expect(existsSync(mark)).toBe(false);
  });
});
