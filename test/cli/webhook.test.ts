import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSignatureValid, WebhookReceiver } from '../harness/events/webhook-receiver.ts';
import { describeCli } from '../harness/programs/cli.ts';

describeCli('hostler webhook', { settings: { HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true' } }, run => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterAll(() => receiver.stop());

  test('creates, tests, replaces and removes a webhook, and signs with the entered secret', async () => {
    const created = await run(`webhook create chat --url ${receiver.url}/hook --event host.* --event log.pruned`, {
      promptAnswers: ['s3cret', 's3cret'],
    });
    expect(created).toMatchObject({
      exitCode: 0,
      stdout: 'webhook chat created\n',
      prompts: ['Secret of chat: ', 'Repeat: '],
      secretPrompts: ['Secret of chat: ', 'Repeat: '],
    });
    const checked = await run('webhook test chat');
    expect(checked).toMatchObject({ exitCode: 0, stdout: 'webhook chat: test passed (HTTP status 200)\n' });
    const [message] = receiver.received;
    expect(message && isSignatureValid(message, 's3cret', Date.now() / 1000)).toBe(true);
    expect((await run('webhook list -o wide')).stdout).toBe(
      `NAME  STATE   PENDING  LAST DELIVERY  EVENTS             URL\nchat  active        0                 host.* log.pruned  ${receiver.url}/hook\n`,
    );
    expect((await run('webhook show chat')).stdout).toMatch(/^name: {4}chat\nstate: {3}active\nurl: {5}http/);
    const steps: readonly [string, string, string][] = [
      [`webhook create chat --url ${receiver.url}/other --secret-stdin --replace`, 'new', 'webhook chat replaced\n'],
      ['webhook resume chat', '', 'webhook chat resumed\n'],
      ['webhook remove chat --yes', '', 'webhook chat removed\n'],
      ['webhook list -o name', '', ''],
    ];
    for (const [line, input, stdout] of steps)
      expect(await run(line, { input }), line).toMatchObject({ exitCode: 0, stdout });
  });

  test('test exits with 1 if the receiver rejects the event', async () => {
    // This event type never occurs, so only the test event gets the reply.
    await run(`webhook create bad --url ${receiver.url} --event log.pruned --secret-stdin`, { input: 'x' });
    receiver.replies.push(500);
    const result = await run('webhook test bad');
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toMatch(/^hostler: webhook bad: test failed:\n {2}.*500/);
  });

  test.each([
    ['webhook create a', 2, /required option '--url <url>'/],
    [
      'webhook create a --url http://127.0.0.1:1',
      2,
      /no terminal to prompt for the secret of a\. Pipe it in with --secret-stdin/,
    ],
    ['webhook create a --url ftp://x --secret-stdin', 4, /url/],
    ['webhook create a --url http://127.0.0.1:1 --event nonsense --secret-stdin', 4, /--event must be an event type/],
    ['webhook show nowhere', 5, /nowhere/],
    ['webhook remove nowhere', 5, /nowhere/],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await run(line, { input: 's3cret' });
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toMatch(stderr);
    expect(result.stderr).not.toContain('s3cret');
  });
});
