import { expect, test } from 'vitest';
import { describeCli } from '../harness/programs/cli.ts';

describeCli('hostler user', {}, (run, service) => {
  const letsIn = async (password: string) =>
    (await service().get('/api/v0/user', { as: `ann:${password}` })).status === 200;

  test('leads an account through its life', async () => {
    const created = await run('user create ann --role viewer', { answers: ['first', 'first'] });
    expect(created).toMatchObject({
      exitCode: 0,
      stdout: 'account ann created (role viewer)\n',
      asked: ['New password of ann: ', 'Repeat: '],
      askedSecretly: ['New password of ann: ', 'Repeat: '],
    });
    expect(await letsIn('first')).toBe(true);
    expect((await run('user list -o name')).stdout).toBe('admin\nann\n');
    expect((await run('user list')).stdout).toMatch(
      /^NAME {3}ROLE {4}CREATED {2,}CHANGED\nadmin {2}admin .* ago\nann {4}viewer /,
    );
    expect((await run('user show ann')).stdout).toMatch(/^name: {4}ann\nrole: {4}viewer\n/);
    const steps: readonly [string, string, string][] = [
      ['user password ann --password-stdin', 'second', 'password of account ann changed\n'],
      [
        'user role ann operator --password-stdin',
        'third',
        'role of account ann changed to operator, password set\n',
      ],
    ];
    for (const [line, password, stdout] of steps) {
      expect(await run(line, { input: `${password}\n` }), line).toMatchObject({ exitCode: 0, stdout });
      expect(await letsIn(password), line).toBe(true);
    }
    expect(await letsIn('second')).toBe(false);
    expect(await run('user remove ann --yes')).toMatchObject({
      exitCode: 0,
      stdout: 'account ann removed\n',
    });
    expect(await letsIn('third')).toBe(false);
  });

  test('an account that is there is not created again, since its owner would be out', async () => {
    await run('user create ann --role viewer --password-stdin', { input: 'first' });
    const again = await run('user create ann --role viewer --password-stdin', { input: 'other' });
    expect(again.exitCode).toBe(4);
    expect(again.stderr).toContain(
      'the account ann already exists. Change it with: hostler user password ann',
    );
    expect(await letsIn('first')).toBe(true);
  });

  test.each([
    ['user create bob', 2, /required option '--role <role>' not specified/],
    ['user create bob --role king', 2, /Allowed choices are admin, operator, viewer, enrol/],
    [
      'user create bob --role viewer',
      2,
      /no terminal to prompt for the new password of bob\. Pipe it in with --password-stdin/,
    ],
    ['user create token --role viewer --password-stdin', 4, /reserved/],
    [
      'user role nobody viewer --password-stdin',
      4,
      /the account nobody does not exist\. See: hostler user list \(not_found, /,
    ],
    ['user remove admin --yes', 4, /the only admin/],
    ['user remove nobody', 4, /nobody/],
    ['user remove ann', 2, /Confirm with --yes \(no terminal to prompt on\)/],
  ])('%s ends with %i', async (line, exitCode, stderr) => {
    const ran = await run(line, { input: 'secret' });
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toMatch(stderr);
  });

  test('a password that is typed in two ways changes nothing', async () => {
    const ran = await run('user create bob --role viewer', { answers: ['one', 'two'] });
    expect(ran).toMatchObject({
      exitCode: 2,
      stderr: 'hostler: the two entries are different. Nothing was changed\n',
    });
    expect((await run('user show bob')).exitCode).toBe(4);
  });
});
