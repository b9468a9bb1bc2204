import type { PolicyFields } from '../../contract/policy.ts';
import { PolicyInput } from '../../contract/policy.ts';
import { isRecord } from '../../lib/json.ts';
import { usageError } from '../errors.ts';
import { readYamlObject, toFileLabel } from '../input/files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { POLICY_FLAGS, toPolicyFlag } from './policy-flags.ts';
import type { PolicyFlags } from './policy-options.ts';

type RawFields = Readonly<Record<string, unknown>>;

const POLICY_FILE = { expected: 'a policy', example: 'max_unavailable: 25%' };

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

const toOptionName = (flag: string) => flag.slice(2).replace(/-(\w)/g, (_match, letter) => letter.toUpperCase());

function toFieldValue(field: string, value: unknown, current: unknown): unknown {
  if (field === 'timeouts' && isRecord(value)) return { ...(isRecord(current) && current), ...value };
  // `--no-check` and `--no-window`
  return (field === 'check' || field === 'window') && value === false ? null : value;
}

function toPolicyFields(flags: PolicyFlags, current: RawFields): RawFields {
  const { drain: _drain, dry_run: _dryRun, ...fieldFlags } = POLICY_FLAGS;
  const fields = Object.entries(fieldFlags)
    .map(([field, flag]) => [field, toFieldValue(field, Reflect.get(flags, toOptionName(flag)), current[field])])
    .filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(fields), ...toDrainFields(flags, current['drain']) };
}

const isPolicy = (_fields: RawFields, errors: number): _fields is RawFields & PolicyFields => errors === 0;

async function validatePolicy(fields: RawFields, getName: (path: readonly string[]) => string): Promise<PolicyFields> {
  // Imported on demand, because it is slow to load.
  const { compileSchema } = await import('../../lib/schema.ts');
  const errors = compileSchema(PolicyInput)(fields);
  if (isPolicy(fields, errors.length)) return fields;
  const texts = errors.map(({ path, message }) => `${getName(path.split('/').slice(1))} ${message}`);
  throw usageError(`invalid policy: ${texts.join('; ')}`);
}

/** Merges flags, file and current policy, in this order of precedence. Returns `undefined` without flags and file. */
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
