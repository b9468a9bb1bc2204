import { expect, test } from 'vitest';
import { describeCli } from '../harness/programs/cli.ts';

describeCli('hostler user', {}, (run, service) => {
  const canLogIn = async (password: string) =>
    (await service().get('/api/v0/user', { as: `ann:${password}` })).status === 200;

  test('creates, lists, changes and removes an account', async () => {
    const created = await run('user create ann --role viewer', { promptAnswers: ['first', 'first'] });
    expect(created).toMatchObject({
      exitCode: 0,
      stdout: 'account ann created (role viewer)\n',
      prompts: ['New password of ann: ', 'Repeat: '],
      secretPrompts: ['New password of ann: ', 'Repeat: '],
    });
    expect(await canLogIn('first')).toBe(true);
    expect((await run('user list -o name')).stdout).toBe('admin\nann\n');
    expect((await run('user list')).stdout).toMatch(
      /^NAME {3}ROLE {4}CREATED {2,}CHANGED\nadmin {2}admin .* ago\nann {4}viewer /,
    );
    expect((await run('user show ann')).stdout).toMatch(/^name: {4}ann\nrole: {4}viewer\n/);
    const steps: readonly [string, string, string][] = [
      ['user password ann --password-stdin', 'second', 'password of account ann changed\n'],
      ['user role ann operator', 'second', 'role of account ann changed to operator\n'],
      ['user password ann --password-stdin', 'third', 'password of account ann changed\n'],
    ];
    for (const [line, password, stdout] of steps) {
      expect(await run(line, { input: `${password}\n` }), line).toMatchObject({ exitCode: 0, stdout });
      expect(await canLogIn(password), line).toBe(true);
    }
    expect(await canLogIn('second')).toBe(false);
    expect(await run('user remove ann --yes')).toMatchObject({
      exitCode: 0,
      stdout: 'account ann removed\n',
    });
    expect(await canLogIn('third')).toBe(false);
  });

  test('create does not change an existing account', async () => {
    await run('user create ann --role viewer --password-stdin', { input: 'first' });
    const repeated = await run('user create ann --role viewer --password-stdin', { input: 'other' });
    expect(repeated.exitCode).toBe(4);
    expect(repeated.stderr).toContain('the account ann already exists. Change it with: hostler user password ann');
    expect(await canLogIn('first')).toBe(true);
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
    ['user role unknown viewer', 5, /the account unknown does not exist\. See: hostler user list \(not_found, /],
    ['user remove admin --yes', 4, /the only admin/],
    ['user remove unknown', 5, /unknown/],
    ['user remove ann', 2, /Confirm with --yes \(no terminal to prompt on\)/],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await run(line, { input: 'secret' });
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toMatch(stderr);
  });

  test('create changes nothing if the two password entries differ', async () => {
    const result = await run('user create bob --role viewer', { promptAnswers: ['one', 'two'] });
    expect(result).toMatchObject({
      exitCode: 2,
      stderr: 'hostler: the two entries are different. Nothing was changed\n',
    });
    expect((await run('user show bob')).exitCode).toBe(5);
  });
});
