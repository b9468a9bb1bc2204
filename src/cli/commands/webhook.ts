import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { Webhook } from '../../contract/routes/webhooks.ts';
import { utcTime } from '../../sdk/format.ts';
import type { ActionBuilder } from '../actions.ts';
import { collectValues, watchOption, yesOption } from '../actions.ts';
import { mapConcurrent } from '../for-each-host.ts';
import { confirm, readSecret } from '../input/prompts.ts';
import { printCheckResult } from '../output/check-result.ts';
import { formatAgo, getStatusStyle } from '../output/format.ts';
import type { Column } from '../output/table.ts';
import type { Session } from '../session.ts';

type WebhookRecord = Static<typeof Webhook>;

const columns = (nowMs: number): readonly Column<WebhookRecord>[] => [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'STATE', value: ({ state }) => state, style: ({ state }) => getStatusStyle(state) },
  { header: 'PENDING', value: ({ pending }) => String(pending), isRightAligned: true },
  { header: 'LAST DELIVERY', value: ({ delivered_at }) => formatAgo(delivered_at, nowMs) },
  { header: 'EVENTS', value: ({ events }) => events.join(' '), isWideOnly: true, isTruncatable: true },
  { header: 'URL', value: ({ url }) => url, isTruncatable: true },
];

async function list({ client, printer, terminal }: Session): Promise<void> {
  const { body: names } = await client.listWebhooks();
  const rows = await mapConcurrent(names, async name => (await client.getWebhook({ name })).body);
  await printer.printList({
    rows,
    columns: columns(terminal.clock.now()),
    getName: ({ name }) => name,
    emptyMessage: 'No webhooks found. Create one with: hostler webhook create NAME --url URL',
  });
}

async function show({ client, printer }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.getWebhook({ name });
  await printer.printRecord({
    ...{ value, name },
    fields: [
      { label: 'name', text: value.name },
      { label: 'state', text: value.state, style: getStatusStyle(value.state) },
      { label: 'problem', text: value.problem },
      { label: 'url', text: value.url },
      { label: 'events', text: value.events.join(' ') },
      { label: 'pending', text: String(value.pending) },
      { label: 'last delivery', text: utcTime(value.delivered_at) },
      { label: 'failing since', text: utcTime(value.failing_since) },
      { label: 'attempts', text: value.attempts === 0 ? '' : String(value.attempts) },
      { label: 'next attempt', text: utcTime(value.next_attempt_at) },
      { label: 'disabled', text: utcTime(value.disabled_at) },
      { label: 'created', text: utcTime(value.created_at) },
      { label: 'resume with', text: value.state === 'disabled' ? `hostler webhook resume ${name}` : '' },
    ],
  });
}

interface CreateOptions {
  readonly url: string;
  readonly event?: readonly string[];
  readonly secretStdin?: true;
  readonly replace?: true;
}

async function create({ client, printer, terminal }: Session, options: CreateOptions, name: string) {
  const { url, event, secretStdin = false, replace } = options;
  const secret = await readSecret(terminal, {
    label: `secret of ${name}`,
    stdinFlag: '--secret-stdin',
    readsStdin: secretStdin,
    needsConfirmation: true,
  });
  const { status, body: value } = await client.putWebhook({
    name,
    body: { url, secret, ...(event && { events: [...event] }) },
    ...(replace && { headers: { 'if-match': '*' } }),
  });
  const result = status === 201 ? 'created' : replace ? 'replaced' : 'already exists';
  await printer.printResult(`webhook ${name} ${result}`, { value, name });
}

async function remove({ client, printer, terminal }: Session, { yes }: { readonly yes?: true }, name: string) {
  await client.getWebhook({ name });
  await confirm(terminal, `Remove webhook ${name}?`, yes);
  await client.removeWebhook({ name });
  await printer.printResult(`webhook ${name} removed`, { value: [], name });
}

async function test({ client, printer }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.testWebhook({ name, body: {} });
  const note = value.status === null ? '' : `HTTP status ${value.status}`;
  await printCheckResult({ printer }, { value, label: `webhook ${name}: test`, note });
}

async function resume({ client, printer }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.resumeWebhook({ name, body: {} });
  await printer.printResult(`webhook ${name} resumed`, { value, name });
}

export function addWebhookCommands(program: Command, cli: ActionBuilder): void {
  const group = program.command('webhook').description('Manage webhooks');
  const name = ['<webhook>', 'Webhook name'] as const;
  group
    .command('create')
    .description('Create a webhook, which sends new events to a URL')
    .argument(...name)
    .requiredOption('--url <url>', 'URL that receives the events')
    .option(
      '--event <type>',
      'Event type or group, for example host.status or operation.* (repeatable; default: all events)',
      collectValues,
    )
    .option('--secret-stdin', 'Read the signing secret from stdin')
    .option('--replace', 'Replace the settings if the webhook exists')
    .addHelpText(
      'after',
      `
The command prompts for the signing secret, or reads it from stdin with
--secret-stdin.

Example:
  openssl rand -hex 32 | tee secret | hostler webhook create chat --url https://chat.example/hook --event 'host.*' --secret-stdin
`,
    )
    .action(cli.withSession(create));
  group.command('list').description('List webhooks').addOption(watchOption()).action(cli.withWatch(list));
  group
    .command('show')
    .description('Show a webhook and its delivery state')
    .argument(...name)
    .addOption(watchOption())
    .action(cli.withWatch(show));
  group
    .command('test')
    .description('Send a test event and print the result')
    .argument(...name)
    .action(cli.withSession(test));
  group
    .command('resume')
    .description('Resume a disabled or failing webhook')
    .argument(...name)
    .action(cli.withSession(resume));
  group
    .command('remove')
    .description('Remove a webhook')
    .argument(...name)
    .addOption(yesOption())
    .action(cli.withSession(remove));
}
