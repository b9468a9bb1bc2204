/** A host as it is listed the moment it was enrolled. */
export const freshListedHost = (address: string) => ({
  address,
  status: 'investigating',
  os: '',
  cpus: 0,
  memory: 0,
  space: 0,
  last_check: '',
});

/** The same as it is answered on its own. */
export const freshHost = (address: string) => ({ ...freshListedHost(address), source: '' });
