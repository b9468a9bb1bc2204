import type { Argv, CommandResult, HostQuery } from '../domain/command.ts';
import type { DriverRecord } from '../domain/driver-record.ts';
import type { Host } from '../domain/hosts/host.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { ContainerManager } from '../drivers/container-manager/container-manager.ts';
import type { OsDriver } from '../drivers/os/os-driver.ts';
import { lastLine } from '../lib/sanitize.ts';
import type { OnScriptError } from './outcomes.ts';
import { failed, failOnScriptError, fromTransportFailure, retry, retryOnError } from './outcomes.ts';
import { QUERY_TIMEOUT_MS } from './retry-policies.ts';
import { ScriptError } from './script-error.ts';
import type { Outcome, StepContext } from './step.ts';

type WithConnection = Pick<StepContext, 'connection'>;

export const ROOT_QUERY_OPTIONS = { timeoutMs: QUERY_TIMEOUT_MS, asRoot: true };

interface QueryOptions {
  readonly asRoot?: boolean;
  readonly onFailure?: (failure: TransportFailure) => Outcome;
  readonly onScriptError?: OnScriptError;
}

type QueryResult<T> = { readonly value: T } | { readonly outcome: Outcome };

/** `label` names the output in an error. */
export async function queryHost<T>(
  { connection }: WithConnection,
  hostQuery: HostQuery<T | ScriptError>,
  label: string,
  { asRoot = true, onFailure = fromTransportFailure, onScriptError = failOnScriptError }: QueryOptions = {},
): Promise<QueryResult<T>> {
  const value = await connection.query(hostQuery, { timeoutMs: QUERY_TIMEOUT_MS, asRoot });
  if (value instanceof TransportFailure) return { outcome: onFailure(value) };
  if (value instanceof ScriptError) return { outcome: onScriptError(value) };
  return value === undefined ? { outcome: retry(`unexpected_output: cannot parse ${label}`) } : { value };
}

export const REBOOT_STATE_LABEL = 'the reboot state of the host';
export const DEPLOYMENTS_LABEL = 'the versions of the host';

export const queryFacts = (context: Pick<StepContext, 'connection' | 'os'>) =>
  queryHost(context, context.os.facts, 'the facts of the host', { asRoot: false });

export const queryRebootRequired = (context: WithConnection, { rebootRequired }: OsDriver) =>
  queryHost(context, rebootRequired, 'the result of the reboot check');

export const UID_COMMAND: Argv = ['id', '-u'];

/** A login profile can print lines before the uid. */
const isRoot = ({ exitCode, stdout }: CommandResult): boolean =>
  exitCode === 0 && /^0\s*$/m.test(Buffer.from(stdout).toString('latin1'));

export function checkRoot(result: CommandResult): string | undefined {
  if (isRoot(result)) return undefined;
  const quote = lastLine(result.stderr);
  return `the user is not root and has no passwordless sudo${quote && `: ${quote}`}`;
}

export async function ensureRoot({ connection }: WithConnection): Promise<Outcome | undefined> {
  const result = await connection.run(UID_COMMAND, ROOT_QUERY_OPTIONS);
  if (result instanceof TransportFailure) return fromTransportFailure(result);
  const notRoot = checkRoot(result);
  return notRoot === undefined ? undefined : failed(`not_root: ${notRoot}`);
}

export const UNSUPPORTED_OS = failed('unsupported_os: no driver supports this operating system');

export const findOsDriver = (
  { os }: Pick<StepContext, 'os'>,
  { osDriver }: Pick<Host, 'osDriver'>,
): OsDriver | undefined => os.drivers.find(candidate => candidate.type === osDriver);

export const callManager = (
  { managerRecord, openManager }: Pick<StepContext, 'managerRecord' | 'openManager'>,
  withoutManager: Outcome,
  call: (manager: ContainerManager, record: DriverRecord) => Promise<Outcome>,
): Promise<Outcome> =>
  retryOnError('container_manager', async () => {
    const record = await managerRecord();
    return record === null ? withoutManager : call(await openManager(record), record);
  });
