import type { EventType } from '../vocabulary.ts';

type NounIn<Type> = Type extends `${infer Noun}.${string}` ? Noun : never;

/** To what something happens. */
export type EventNoun = NounIn<EventType>;

export const nounOf = (type: EventType): EventNoun => type.slice(0, type.indexOf('.')) as EventNoun;
