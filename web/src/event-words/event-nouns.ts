import type { RouteName } from '#contract/index.ts';
import { EVENT_TYPES } from '#vocabulary';

/** Whoever may not call it is told nothing of the noun. */
const NEEDS: Readonly<Record<string, RouteName>> = {
  account: 'listAccounts',
  request: 'listAccounts',
  token: 'listTokens',
  webhook: 'listWebhooks',
};

export const nounOf = (type: string): string => type.slice(0, type.indexOf('.'));

/** What things happen to, and the types of that. */
export interface NounTypes {
  readonly noun: string;
  readonly types: readonly string[];
}

export const NOUNS: readonly NounTypes[] = [...Map.groupBy<string, string>(EVENT_TYPES, nounOf)].map(
  ([noun, types]) => ({ noun, types }),
);

/** Those that somebody may see. */
export const shownNouns = (may: (route: RouteName) => boolean): readonly NounTypes[] =>
  NOUNS.filter(({ noun }) => {
    const needs = NEEDS[noun];
    return needs === undefined || may(needs);
  });
