import type { Command } from 'commander';
import type { ActionBuilder, CommonOptions } from '../actions.ts';
import { yesOption } from '../actions.ts';
import type { Context, Contexts } from '../contexts/contexts-file.ts';
import { readContexts, removeContext, updateContexts } from '../contexts/contexts-file.ts';
import type { ContextView } from '../contexts/resolve-context.ts';
import { requireContextName, toContextView, toContextViews } from '../contexts/resolve-context.ts';
import { usageError } from '../errors.ts';
import { confirm } from '../input/prompts.ts';
import type { Column } from '../output/table.ts';

const COLUMNS: readonly Column<ContextView>[] = [
  { header: '', value: ({ current }) => (current ? '*' : ''), style: () => 'success' },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'SERVERS', value: ({ servers }) => servers.join(' '), isTruncatable: true },
  { header: 'USER', value: ({ user }) => user },
  { header: 'CA FILE', value: ({ ca_file }) => ca_file ?? '', isWideOnly: true },
];

function findContext({ all }: Contexts, name: string): Context {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found) return found;
  throw usageError(`the context ${name} does not exist (available: ${Object.keys(all).join(', ') || 'none'})`);
}

async function list(cli: ActionBuilder, options: CommonOptions): Promise<void> {
  await cli.printer(options).printList({
    rows: toContextViews(readContexts(cli.terminal.environment)),
    columns: COLUMNS,
    getName: ({ name }) => name,
    emptyMessage: 'No contexts found. Create one with: hostler login URL',
  });
}

async function show(cli: ActionBuilder, options: CommonOptions, requestedName: string | undefined): Promise<void> {
  const contexts = readContexts(cli.terminal.environment);
  const name = requestedName ?? options.context ?? contexts.current;
  if (name === undefined) throw usageError('there is no current context. Select one with: hostler context use NAME');
  const value = toContextView(name, findContext(contexts, name), name === contexts.current);
  await cli.printer(options).printRecord({
    ...{ value, name },
    fields: [
      { label: 'name', text: name },
      { label: 'current', text: value.current ? 'yes' : 'no' },
      { label: 'servers', text: value.servers.join(' ') },
      { label: 'user', text: value.user },
      { label: 'ca file', text: value.ca_file ?? '' },
    ],
  });
}

async function use(cli: ActionBuilder, options: CommonOptions, name: string): Promise<void> {
  const contexts = readContexts(cli.terminal.environment);
  const context = findContext(contexts, name);
  updateContexts(cli.terminal.environment, saved => ({ ...saved, current: name }));
  await cli
    .printer(options)
    .printResult(`switched to context ${name}`, { value: toContextView(name, context, true), name });
}

async function remove(cli: ActionBuilder, options: CommonOptions & { readonly yes?: true }, name: string) {
  const { terminal } = cli;
  const contexts = readContexts(terminal.environment);
  findContext(contexts, name);
  await confirm(terminal, `Remove context ${name} and its password?`, options.yes);
  updateContexts(terminal.environment, saved => removeContext(saved, name));
  await cli.printer(options).printResult(`context ${name} removed`, { value: [], name });
}

async function rename(cli: ActionBuilder, options: CommonOptions, from: string, to: string): Promise<void> {
  const { environment } = cli.terminal;
  const contexts = readContexts(environment);
  const context = findContext(contexts, from);
  requireContextName(to);
  if (Object.hasOwn(contexts.all, to)) throw usageError(`the context ${to} already exists`);
  const isCurrent = contexts.current === from;
  updateContexts(environment, ({ current, all }) => ({
    current: current === from ? to : current,
    all: Object.fromEntries(Object.entries(all).map(([name, entry]) => [name === from ? to : name, entry])),
  }));
  await cli.printer(options).printResult(`context ${from} renamed to ${to}`, {
    value: toContextView(to, context, isCurrent),
    name: to,
  });
}

export function addContextCommands(program: Command, cli: ActionBuilder): void {
  const group = program.command('context').description('Manage contexts: stored servers and accounts');
  const name = ['<context>', 'Context name'] as const;
  group
    .command('list')
    .description('List contexts; * marks the current one')
    .action(cli.withoutSession((options: CommonOptions) => list(cli, options)));
  group
    .command('show')
    .description('Show a context, without its password')
    .argument('[context]', 'Context name (default: the current context)')
    .action(
      cli.withoutSession((options: CommonOptions, requestedName: string | undefined) =>
        show(cli, options, requestedName),
      ),
    );
  group
    .command('use')
    .description('Switch to a context')
    .argument(...name)
    .action(cli.withoutSession((options: CommonOptions, requestedName: string) => use(cli, options, requestedName)));
  group
    .command('rename')
    .description('Rename a context')
    .argument(...name)
    .argument('<new-name>', 'New name')
    .action(cli.withoutSession((options: CommonOptions, from: string, to: string) => rename(cli, options, from, to)));
  group
    .command('remove')
    .description('Remove a context and its password')
    .argument(...name)
    .addOption(yesOption())
    .action(cli.withoutSession((options: CommonOptions, requestedName: string) => remove(cli, options, requestedName)));
}
