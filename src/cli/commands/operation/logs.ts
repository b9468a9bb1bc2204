import type { Command } from 'commander';
import { utcTime } from '../../../client/times.ts';
import { harmlessText } from '../../../lib/text/harmless.ts';
import type { CommandLine } from '../../command-line.ts';
import type { Session } from '../../session.ts';
import { findOperation } from './find-operation.ts';

interface Said {
  readonly host: string;
  readonly step: string;
  readonly attempt: number;
  readonly at: string;
  readonly output: string;
}

/** Of one host all that is kept, of all of them the last lines. */
async function readSaid({ client }: Session, id: string, host: string | undefined): Promise<readonly Said[]> {
  if (host !== undefined) {
    const { body } = await client.getOperationHost({ id, address: host });
    return body.output.map(said => ({ host: body.address, ...said }));
  }
  const { body } = await client.getOperation({ id });
  return body.hosts.flatMap(({ address, output }) =>
    output.map(({ last_lines, ...said }) => ({ host: address, ...said, output: last_lines })),
  );
}

const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

async function logs(
  session: Session,
  { step }: { readonly step?: string },
  text: string,
  host: string | undefined,
): Promise<void> {
  const { print, terminal } = session;
  const { id } = await findOperation(session.client, text);
  const said = (await readSaid(session, id, host)).filter(each => step === undefined || each.step === step);
  if (!print.isForPeople) return print.done('', { value: said, name: id });
  if (said.length === 0) return terminal.tell('No output is stored.\n');
  const parts = said.map(({ host: address, step: of, attempt, at, output }) => {
    const tried = attempt > 1 ? `, attempt ${attempt}` : '';
    const head = print.paint(`==> ${address} ${of}${tried}, ${utcTime(at)} <==`, 'strong');
    return `${head}\n${ended(harmlessText(Buffer.from(output)))}`;
  });
  terminal.write(parts.join('\n'));
}

export function addLogsCommand(noun: Command, cli: CommandLine, operation: readonly [string, string]): void {
  noun
    .command('logs')
    .description(
      'Print the output of commands: the last lines of all hosts, or all stored output of one host',
    )
    .argument(...operation)
    .argument('[host]', 'Host address')
    .option('--step <step>', 'Filter by step, for example stage or apply')
    .action(cli.withSession(logs));
}
