// A network that does not exist, added as `docs/contributing/add-a-network.md` says: the proof that a new one touches nothing else. Hosts are in it
// when a file says so, which a service of theirs reads.

import Type from 'typebox';
import { Secret } from '../../src/domain/secret.ts';
import type { NetworkDriver } from '../../src/drivers/network/network.ts';
import { cidr, secret } from '../../src/drivers/option-fields.ts';

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
    { network: cidr('The network of the hosts.'), key: secret('What hosts know each other by.') },
    { additionalProperties: false },
  ),
  entersAs: 'host',
  open: ({ options: { network, key } }) => ({
    check: async () => ({ version: '', problems: [] }),
    prepare: async () => undefined,
    joinTask: async () => ({
      needs: ['toynetd'],
      hint: 'install toynetd',
      commands: [{ argv: ['sh', '-c', ENTER, 'sh', String(network)], input: new Secret(`${String(key)}\n`) }],
      proof: {
        argv: ['sh', '-c', PROVE],
        read: ({ exitCode }) => (exitCode === 0 ? '' : 'toynetd does not run'),
      },
    }),
    leaveTask: async () => ({ needs: [], hint: '', commands: [{ argv: ['sh', '-c', LEAVE] }] }),
    forget: async () => {},
  }),
};
