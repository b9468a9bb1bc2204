import type { Role } from '#vocabulary';
import { ADMIN_ONLY_RESOURCES, EVENT_TYPES, eventResource } from '#vocabulary';

/** What things happen to, and the types of that. */
export interface NounTypes {
  readonly noun: string;
  readonly types: readonly string[];
}

export const NOUNS: readonly NounTypes[] = [...Map.groupBy<string, string>(EVENT_TYPES, eventResource)].map(
  ([noun, types]) => ({ noun, types }),
);

/** Those that somebody is told of. */
export const shownNouns = (role: Role): readonly NounTypes[] =>
  role === 'admin' ? NOUNS : NOUNS.filter(({ noun }) => !ADMIN_ONLY_RESOURCES.has(noun));
