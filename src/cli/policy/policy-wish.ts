import type { Static } from 'typebox';
import { PolicyWish } from '../../contract/policy.ts';
import { isRecord } from '../../lib/is-record.ts';
import { usageProblem } from '../cli-problem.ts';
import { readYamlObject, sourceName } from '../read-file.ts';
import type { Terminal } from '../terminal.ts';
import { policyFlag } from './policy-flags.ts';
import type { PolicyFlags } from './policy-options.ts';

type Wish = Static<typeof PolicyWish>;
type Fields = Readonly<Record<string, unknown>>;

const POLICY_FILE = { what: 'a policy', example: 'max_unavailable: 25%' };

/** What flags say of draining, on top of what else is wished. */
function drainOf({ drain, drainTimeout, drainForce }: PolicyFlags, before: unknown): Fields {
  if (drain === false) return { drain: false };
  if (drainTimeout === undefined && drainForce === undefined) return {};
  return {
    drain: {
      ...(isRecord(before) && before),
      ...(drainTimeout !== undefined && { timeout_s: drainTimeout }),
      ...(drainForce && { on_timeout: 'force' }),
    },
  };
}

/** Each field that flags name, as it goes over the wire. */
function fieldsOf(flags: PolicyFlags, before: Fields): Fields {
  const { drain, timeouts } = before;
  const given = {
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
    ...drainOf(flags, drain),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const isWish = (fields: Fields, errors: number): fields is Fields & Wish => errors === 0 && isRecord(fields);

/** Compiling a schema takes a moment: only whoever has a policy to check pays for it. */
async function checked(fields: Fields, nameOf: (place: readonly string[]) => string): Promise<Wish> {
  const { compileSchema } = await import('../../lib/schema.ts');
  const errors = compileSchema(PolicyWish)(fields);
  if (isWish(fields, errors.length)) return fields;
  const texts = errors.map(({ path, message }) => `${nameOf(path.split('/').slice(1))} ${message}`);
  throw usageProblem(`invalid policy: ${texts.join('; ')}`);
}

/** What flags and the file of a command ask for; `undefined`: nothing. Flags come before the file, and that before what there was. */
export async function policyWish(
  flags: PolicyFlags,
  terminal: Pick<Terminal, 'readInput'>,
  before: Fields = {},
): Promise<Wish | undefined> {
  const base =
    flags.policy === undefined ? before : await readYamlObject(flags.policy, terminal, POLICY_FILE);
  const own = fieldsOf(flags, base);
  if (flags.policy === undefined && Object.keys(own).length === 0) return undefined;
  // An error names what the user wrote: a flag, or a field of the file.
  const isFromFile = ([field = '']: readonly string[]) =>
    flags.policy !== undefined && !Object.hasOwn(own, field);
  return checked({ ...base, ...own }, place =>
    isFromFile(place)
      ? `${place.join('.')} in ${sourceName(flags.policy ?? '')}`
      : (policyFlag(place) ?? place.join('.')),
  );
}
