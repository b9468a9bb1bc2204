/** A host in the list right after enrolment. */
export const newListedHost = (address: string) => ({
  address,
  status: 'investigating',
  os: '',
  cpus: 0,
  memory: 0,
  space: 0,
  last_check: '',
});

/** The response of GET /host/{address} right after enrolment. */
export const newHostResponse = (address: string) => ({ ...newListedHost(address), source: '' });
