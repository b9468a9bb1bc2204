/** What a host of the kind `cloud` finds on its disk at its first boot, instead of a cloud that tells it. */
export const cloudInitSeed = (name: string, userData: string): Readonly<Record<string, string>> => ({
  'var/lib/cloud/seed/nocloud/meta-data': `instance-id: i-${name}\nlocal-hostname: ${name}\n`,
  'var/lib/cloud/seed/nocloud/user-data': userData,
});
