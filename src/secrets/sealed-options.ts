import type { DriverRecord } from '../domain/driver-record.ts';
import type { RecordName } from '../domain/record-name.ts';
import { optionPlace } from '../domain/sealed-places.ts';
import type { Sealed, Vault } from '../domain/secret.ts';
import { Secret } from '../domain/secret.ts';
import type { DriverRecordKind } from '../domain/vocabulary.ts';

type Options = DriverRecord['options'];

/** Splits options into those that are kept as they are and those that are kept encrypted. */
export function sealOptions(
  vault: Vault,
  kind: DriverRecordKind,
  name: RecordName,
  options: Options,
  isSecret: (option: string) => boolean,
): Pick<DriverRecord, 'options' | 'sealedOptions'> {
  const plain: Record<string, unknown> = {};
  const sealed: Record<string, Sealed> = {};
  for (const [option, value] of Object.entries(options)) {
    if (isSecret(option))
      sealed[option] = vault.seal(new Secret(String(value)), optionPlace(kind, name, option));
    else plain[option] = value;
  }
  return { options: plain, sealedOptions: sealed };
}

/** The options as they were sent. */
export function openOptions(vault: Vault, kind: DriverRecordKind, record: DriverRecord): Options {
  const opened = Object.entries(record.sealedOptions).map(
    ([option, sealed]) =>
      [option, vault.open(sealed, optionPlace(kind, record.name, option)).reveal()] as const,
  );
  return { ...record.options, ...Object.fromEntries(opened) };
}
