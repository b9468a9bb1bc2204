import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Static } from 'typebox';
import type { Webhook } from '../../contract/routes/webhooks.ts';
import { utcTime } from '../../sdk/format.ts';
import type { ActionBuilder, YesOption } from '../actions.ts';
import { addCommand, collectValues, yesOption } from '../actions.ts';
import { mapConcurrent } from '../for-each-host.ts';
import { confirm, readSecret } from '../input/prompts.ts';
import { formatAgo, getStatusStyle } from '../output/format.ts';
import type { Column } from '../output/table.ts';
import type { Session } from '../session.ts';

const columns = (nowMs: number): readonly Column<Static<typeof Webhook>>[] => [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'STATE', value: ({ state }) => state, style: ({ state }) => getStatusStyle(state) },
  { header: 'PENDING', value: ({ pending }) => String(pending), isRightAligned: true },
  {
    header: 'LAST DELIVERY',
    value: ({ delivered_at }) => formatAgo(delivered_at, nowMs),
    sortKey: ({ delivered_at }) => delivered_at ?? '',
  },
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
  await printer.printRecord(value, name, [
    ['name', value.name],
    ['state', value.state, getStatusStyle(value.state)],
    ['problem', value.problem],
    ['url', value.url],
    ['events', value.events.join(' ')],
    ['pending', String(value.pending)],
    ['last delivery', utcTime(value.delivered_at)],
    ['failing since', utcTime(value.failing_since)],
    ['attempts', value.attempts === 0 ? '' : String(value.attempts)],
    ['next attempt', utcTime(value.next_attempt_at)],
    ['disabled', utcTime(value.disabled_at)],
    ['created', utcTime(value.created_at)],
    ['resume with', value.state === 'disabled' ? `hostler webhook resume ${name}` : ''],
  ]);
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
    body: { url, secret, events: event },
    ...(replace && { headers: { 'if-match': '*' } }),
  });
  const result = status === 201 ? 'created' : replace ? 'replaced' : 'already exists';
  await printer.printResult(`webhook ${name} ${result}`, value, name);
}

async function remove({ client, printer, terminal }: Session, { yes }: YesOption, name: string): Promise<void> {
  await client.getWebhook({ name });
  await confirm(terminal, `Remove webhook ${name}?`, yes);
  await client.removeWebhook({ name });
  await printer.printResult(`webhook ${name} removed`, [], name);
}

async function test({ client, printer }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.testWebhook({ name, body: {} });
  const note = value.status === null ? '' : `HTTP status ${value.status}`;
  await printer.printCheckResult(value, `webhook ${name}: test`, note);
}

async function resume({ client, printer }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.resumeWebhook({ name, body: {} });
  await printer.printResult(`webhook ${name} resumed`, value, name);
}

const WEBHOOK = new Argument('<webhook>', 'Webhook name');

export function addWebhookCommands(program: Command, cli: ActionBuilder): void {
  const group = addCommand(program, 'webhook', 'Manage webhooks');
  addCommand(group, 'create', 'Create a webhook, which sends new events to a URL', WEBHOOK)
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
  cli.addListAction(addCommand(group, 'list', 'List webhooks'), list);
  cli.addWatchAction(addCommand(group, 'show', 'Show a webhook and its delivery state', WEBHOOK), show);
  addCommand(group, 'test', 'Send a test event and print the result', WEBHOOK).action(cli.withSession(test));
  addCommand(group, 'resume', 'Resume a disabled or failing webhook', WEBHOOK).action(cli.withSession(resume));
  addCommand(group, 'remove', 'Remove a webhook', WEBHOOK).addOption(yesOption()).action(cli.withSession(remove));
}
