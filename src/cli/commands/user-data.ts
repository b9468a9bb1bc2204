import type { Command } from 'commander';
import { Argument } from 'commander';
import { DEFAULT_REMOTE_USER } from '../../domain/defaults.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand } from '../actions.ts';
import { usageError } from '../errors.ts';
import { readTextFile } from '../input/files.ts';
import { readSecret } from '../input/prompts.ts';
import type { Session } from '../session.ts';
import type { TokenLimits } from './token.ts';
import { tokenLimits, withTokenLimits } from './token.ts';

interface UserDataOptions extends TokenLimits {
  readonly url?: string;
  readonly remoteUser?: string;
  readonly legacy?: true;
  readonly account?: string;
  readonly passwordStdin?: true;
}

async function readLegacy({ terminal }: Session, { legacy, account, passwordStdin }: UserDataOptions) {
  if (!legacy && account === undefined) return undefined;
  if (!legacy || account === undefined) throw usageError('--legacy and --account NAME must be used together');
  const password = await readSecret(terminal, {
    label: `password of ${account}`,
    stdinFlag: '--password-stdin',
    readsStdin: passwordStdin === true,
  });
  return { account, password };
}

/** In human-readable formats only the script goes to stdout. */
async function userData(session: Session, options: UserDataOptions, cluster: string): Promise<void> {
  const { printer, terminal, context } = session;
  const { url, remoteUser } = options;
  // Before the request, because the server would create a token that is never printed.
  if (printer.format === 'name') throw usageError('-o name is not supported by user-data: omit it, or use -o json');
  const legacy = await readLegacy(session, options);
  const { body, headers } = await session.client.createUserData({
    name: cluster,
    body: {
      ...tokenLimits(options),
      url,
      ca: context.caFile === undefined ? undefined : readTextFile(context.caFile, 'certificates'),
      remote_user: remoteUser,
      legacy,
    },
  });
  const token = headers.get('hostler-token-name');
  if (!printer.isHumanReadable) return printer.printStructured({ user_data: body, token }, []);
  terminal.writeErr(
    token === null
      ? 'The script contains a password in clear text. Keep it secret.\n'
      : `The script contains the token ${sanitizeLine(token)}: anyone who can read it can enrol hosts until the token expires.\n`,
  );
  terminal.writeOut(body);
}

export function addUserDataCommands(program: Command, cli: ActionBuilder): void {
  withTokenLimits(
    addCommand(
      program,
      'user-data',
      'Print a cloud-init script with which hosts enrol themselves into a cluster',
      new Argument('<cluster>', 'Cluster that the hosts join'),
    ),
  )
    .option('--url <url>', 'Server URL for the hosts (default: the setting public_url)')
    .option('--remote-user <name>', `SSH user that the server logs in as (default: ${DEFAULT_REMOTE_USER})`)
    .option('--legacy', 'Use an account and its password instead of a token; prefer tokens')
    .option('--account <user>', 'With --legacy: account name, preferably with the role enrol')
    .option('--password-stdin', 'With --legacy: read the password of the account from stdin')
    .addHelpText(
      'after',
      `
Each call creates a new token. The script contains the CA certificates from
--ca-file, HOSTLER_CA_FILE or the context. With -o json and -o yaml, user_data is
the script and token is the name of its token.

Example:
  hostler user-data web --uses 20 --expires 2h --cidr 10.0.0.0/8 > user-data
`,
    )
    .action(cli.withSession(userData));
}
