import { afterAll, beforeAll, expect, test } from 'vitest';
import { isGenuine, WebhookReceiver } from '../harness/events/webhook-receiver.ts';
import { describeCli } from '../harness/programs/cli.ts';

describeCli('hostler webhook', { settings: { HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true' } }, run => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterAll(() => receiver.stop());

  test('leads a webhook through its life, and signs by the secret that was typed', async () => {
    const made = await run(
      `webhook create chat --url ${receiver.url}/hook --event host.* --event log.pruned`,
      {
        answers: ['s3cret', 's3cret'],
      },
    );
    expect(made).toMatchObject({
      exitCode: 0,
      stdout: 'webhook chat created\n',
      asked: ['Secret of chat: ', 'Repeat: '],
      askedSecretly: ['Secret of chat: ', 'Repeat: '],
    });
    const checked = await run('webhook test chat');
    expect(checked).toMatchObject({ exitCode: 0, stdout: 'webhook chat: test passed (HTTP status 200)\n' });
    const [message] = receiver.got;
    expect(message && isGenuine(message, 's3cret', Date.now() / 1000)).toBe(true);
    expect((await run('webhook list -o wide')).stdout).toBe(
      `NAME  STATE   PENDING  LAST DELIVERY  EVENTS             URL\nchat  active        0                 host.* log.pruned  ${receiver.url}/hook\n`,
    );
    expect((await run('webhook show chat')).stdout).toMatch(/^name: {4}chat\nstate: {3}active\nurl: {5}http/);
    const steps: readonly [string, string, string][] = [
      [
        `webhook create chat --url ${receiver.url}/other --secret-stdin --replace`,
        'new',
        'webhook chat replaced\n',
      ],
      ['webhook resume chat', '', 'webhook chat resumed\n'],
      ['webhook remove chat --yes', '', 'webhook chat removed\n'],
      ['webhook list -o name', '', ''],
    ];
    for (const [line, input, stdout] of steps)
      expect(await run(line, { input }), line).toMatchObject({ exitCode: 0, stdout });
  });

  test('a check that the receiver refuses fails', async () => {
    // It is sent no event, so that only the check gets the reply.
    await run(`webhook create bad --url ${receiver.url} --event log.pruned --secret-stdin`, { input: 'x' });
    receiver.replies.push(500);
    const ran = await run('webhook test bad');
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/^hostler: webhook bad: test failed:\n {2}.*500/);
  });

  test.each([
    ['webhook create a', 2, /required option '--url <url>'/],
    [
      'webhook create a --url http://127.0.0.1:1',
      2,
      /no terminal to prompt for the secret of a\. Pipe it in with --secret-stdin/,
    ],
    ['webhook create a --url ftp://x --secret-stdin', 4, /url/],
    [
      'webhook create a --url http://127.0.0.1:1 --event nonsense --secret-stdin',
      4,
      /--event must be an event type/,
    ],
    ['webhook show nowhere', 4, /nowhere/],
    ['webhook remove nowhere', 4, /nowhere/],
  ])('%s ends with %i', async (line, exitCode, stderr) => {
    const ran = await run(line, { input: 's3cret' });
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toMatch(stderr);
    expect(ran.stderr).not.toContain('s3cret');
  });
});
