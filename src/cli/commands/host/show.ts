import { sizeText } from '../../../client/size-text.ts';
import { utcTime } from '../../../client/times.ts';
import type { Session } from '../../session.ts';
import { reportFields, retryHint, statusFields } from './status-fields.ts';

/** The record, and what matters of the status. Programs get the record as it is. */
export async function show({ client, print }: Session, _options: object, address: string) {
  const { body: value } = await client.getHost({ address });
  if (!print.isForPeople) return print.show({ value, name: address, fields: [] });
  const { body: report } = await client.getHostStatus({ address });
  await print.show({
    value,
    name: address,
    fields: [
      { label: 'address', text: value.address },
      ...statusFields(address, report),
      { label: 'os', text: value.os },
      { label: 'cpus', text: value.cpus === 0 ? '' : String(value.cpus) },
      { label: 'memory', text: sizeText(value.memory) },
      { label: 'disk', text: sizeText(value.space) },
      { label: 'source', text: value.source },
      { label: 'last check', text: utcTime(value.last_check) },
    ],
    below: retryHint(address, report),
  });
}

/** The whole report, with what the container manager says. */
export async function status({ client, print }: Session, _options: object, address: string) {
  const { body: value } = await client.getHostStatus({ address });
  await print.show({
    value,
    name: address,
    fields: [...statusFields(address, value), ...reportFields(value)],
    below: retryHint(address, value),
  });
}
