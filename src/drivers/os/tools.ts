/** The tools that drivers ask for, and so all that the facts look for: by them a system is told from others, and can be handled. */
export const TOOLS = [
  'apt-get',
  'dnf',
  'yum',
  'zypper',
  'transactional-update',
  'rpm-ostree',
  'bootc',
  'update_engine_client',
] as const;

export type Tool = (typeof TOOLS)[number];
