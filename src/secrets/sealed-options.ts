import type { DriverRecord } from '../domain/driver-record.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { DataKeys, Sealed, TransactionDataKeys, Vault } from '../domain/secret.ts';
import { optionLocation, Secret } from '../domain/secret.ts';
import type { DriverRecordKind } from '../domain/vocabulary.ts';

type Options = DriverRecord['options'];

export interface SealingContext<Keys> {
  readonly vault: Vault;
  readonly keys: Keys;
  readonly kind: DriverRecordKind;
}

/** Separates plain from secret options and encrypts the secret ones. */
export async function sealOptions(
  { vault, keys, kind }: SealingContext<TransactionDataKeys>,
  name: RecordName,
  options: Options,
  isSecret: (option: string) => boolean,
): Promise<Pick<DriverRecord, 'options' | 'sealedOptions'>> {
  const plain: Record<string, unknown> = {};
  const sealed: Record<string, Sealed> = {};
  for (const [option, value] of Object.entries(options)) {
    if (isSecret(option)) {
      const location = optionLocation(kind, name, option);
      sealed[option] = await vault.seal(new Secret(String(value)), location, keys);
    } else plain[option] = value;
  }
  return { options: plain, sealedOptions: sealed };
}

export async function openOptions(
  { vault, keys, kind }: SealingContext<DataKeys>,
  { name, options, sealedOptions }: DriverRecord,
): Promise<Options> {
  const opened: Record<string, string> = {};
  for (const [option, sealed] of Object.entries(sealedOptions)) {
    opened[option] = (await vault.open(sealed, optionLocation(kind, name, option), keys)).reveal();
  }
  return { ...options, ...opened };
}
