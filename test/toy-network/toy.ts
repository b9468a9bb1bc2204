// A network that does not exist, added as `docs/contributing/add-a-network.md` says: the proof that a new one touches nothing else. Hosts are in it
// when a file says so, which a service of theirs reads.

import Type from 'typebox';
import { Secret } from '../../src/domain/secret.ts';
import type { NetworkDriver } from '../../src/drivers/network/network.ts';
import { cidrOption, secretOption } from '../../src/drivers/option-schemas.ts';

const FILE = '/etc/toynet.conf';

/** Keeps the key that it reads and the network that it is given; starts the service only when one of them is another than before. */
export const ENTER = `set -eu
umask 077
IFS= read -r key
printf 'network=%s\\nkey=%s\\n' "$1" "$key" >${FILE}.new
if [ -f ${FILE} ] && [ "$(cat ${FILE})" = "$(cat ${FILE}.new)" ]; then
  rm -f ${FILE}.new
  exit 0
fi
mv -f ${FILE}.new ${FILE}
toynetd start`;

export const LEAVE = `[ -e ${FILE} ] || exit 0
toynetd stop
rm -f ${FILE} ${FILE}.new`;

export const PROVE = `[ -e ${FILE} ] && toynetd running`;

export const toy: NetworkDriver = {
  type: 'toynet',
  summary: 'A toy',
  options: Type.Object(
    { network: cidrOption('The network of the hosts.'), key: secretOption('What hosts know each other by.') },
    { additionalProperties: false },
  ),
  joinsAs: 'host',
  open: ({ options: { network, key } }) => ({
    checkConnection: async () => ({ version: '', problems: [] }),
    ensureConfigured: async () => undefined,
    joinPlan: async () => ({
      requiredPrograms: ['toynetd'],
      installHint: 'install toynetd',
      commands: [{ argv: ['sh', '-c', ENTER, 'sh', String(network)], input: new Secret(`${String(key)}\n`) }],
      readyQuery: {
        argv: ['sh', '-c', PROVE],
        parse: ({ exitCode }) => (exitCode === 0 ? '' : 'toynetd does not run'),
      },
    }),
    leavePlan: async () => ({
      requiredPrograms: [],
      installHint: '',
      commands: [{ argv: ['sh', '-c', LEAVE] }],
    }),
    releaseHost: async () => {},
  }),
};
