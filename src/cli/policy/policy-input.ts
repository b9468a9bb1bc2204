import type { Static } from 'typebox';
import { PolicyInput } from '../../contract/policy.ts';
import { isRecord } from '../../lib/json.ts';
import { usageError } from '../errors.ts';
import { readYamlObject, toFileLabel } from '../input/files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toPolicyFlag } from './policy-flags.ts';
import type { PolicyFlags } from './policy-options.ts';

type PolicyFields = Static<typeof PolicyInput>;
type RawFields = Readonly<Record<string, unknown>>;

const POLICY_FILE = { expected: 'a policy', example: 'max_unavailable: 25%' };

/** Merges the drain flags into the current drain field. */
function toDrainFields({ drain, drainTimeout, drainForce }: PolicyFlags, current: unknown): RawFields {
  if (drain === false) return { drain: false };
  if (drainTimeout === undefined && drainForce === undefined) return {};
  return {
    drain: {
      ...(isRecord(current) && current),
      ...(drainTimeout !== undefined && { timeout_s: drainTimeout }),
      ...(drainForce && { on_timeout: 'force' }),
    },
  };
}

function toPolicyFields(flags: PolicyFlags, current: RawFields): RawFields {
  const { drain, timeouts } = current;
  const fields = {
    max_unavailable: flags.maxUnavailable,
    canary: flags.canary,
    ramp: flags.ramp,
    unhealthy: flags.unhealthy,
    max_excluded: flags.maxExcluded,
    wait: flags.waitForHosts,
    max_failures: flags.maxFailures,
    on_failure: flags.onFailure,
    hosts: flags.hosts,
    labels: flags.label,
    order: flags.order,
    stage_parallel: flags.stageParallel,
    reboot: flags.reboot,
    check: flags.check === false ? null : flags.check,
    min_healthy_s: flags.minHealthy,
    window: flags.window === false ? null : flags.window,
    timeouts: flags.timeout && { ...(isRecord(timeouts) && timeouts), ...flags.timeout },
    ...toDrainFields(flags, drain),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const isPolicy = (fields: RawFields, errors: number): fields is RawFields & PolicyFields =>
  errors === 0 && isRecord(fields);

/** Imports the schema compiler on demand, because it is slow to load. */
async function validatePolicy(fields: RawFields, getName: (path: readonly string[]) => string): Promise<PolicyFields> {
  const { compileSchema } = await import('../../lib/schema.ts');
  const errors = compileSchema(PolicyInput)(fields);
  if (isPolicy(fields, errors.length)) return fields;
  const texts = errors.map(({ path, message }) => `${getName(path.split('/').slice(1))} ${message}`);
  throw usageError(`invalid policy: ${texts.join('; ')}`);
}

/**
 * Merges the policy of flags, file and current policy, in this order of precedence. Returns `undefined`
 * without flags and file.
 */
export async function readPolicyInput(
  flags: PolicyFlags,
  terminal: Pick<Terminal, 'readStdin'>,
  current: RawFields = {},
): Promise<PolicyFields | undefined> {
  const base = flags.policy === undefined ? current : await readYamlObject(flags.policy, terminal, POLICY_FILE);
  const flagFields = toPolicyFields(flags, base);
  if (flags.policy === undefined && Object.keys(flagFields).length === 0) return undefined;
  // An error names what the user wrote: a flag, or a field of the file.
  const isFromFile = ([field = '']: readonly string[]) =>
    flags.policy !== undefined && !Object.hasOwn(flagFields, field);
  return validatePolicy({ ...base, ...flagFields }, path =>
    isFromFile(path)
      ? `${path.join('.')} in ${toFileLabel(flags.policy ?? '')}`
      : (toPolicyFlag(path) ?? path.join('.')),
  );
}
