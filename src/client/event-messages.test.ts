import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from './event-messages.ts';
import { MessageParser } from './event-messages.ts';

const short = ({ type, lastId, data }: Message) => `${type}|${lastId}|${data}`;
const parse = (...texts: readonly string[]) => {
  const parser = new MessageParser();
  return texts.flatMap(text => parser.read(text)).map(short);
};

describe('messages', () => {
  test.each([
    ['an event', 'id: 7\ndata: {"a":1}\n\n', ['|7|{"a":1}']],
    ['one with a type', 'event: reset\nid: 9\ndata: {}\n\n', ['reset|9|{}']],
    ['a type counts for one message only', 'event: reset\ndata: 1\n\ndata: 2\n\n', ['reset||1', '||2']],
    ['a number counts until there is another', 'id: 7\ndata: 1\n\ndata: 2\n\n', ['|7|1', '|7|2']],
    ['a sign of life', ':\n\n', ['||']],
    ['a sign of life with a number', ':\nid: 12\n\n', ['|12|']],
    ['a greeting', 'retry: 2000\n: stream open\n\n', ['||']],
    ['data in lines', 'data: a\ndata: b\n\n', ['||a\nb']],
    ['no space after the colon', 'id:7\ndata:a: b\n\n', ['|7|a: b']],
    ['other ends of lines', 'id: 7\r\ndata: a\r\n\r\nid: 8\rdata: b\r\rx', ['|7|a', '|8|b']],
    ['one that is not whole', 'id: 7\ndata: a\n', []],
  ])('are read: %s', (_what, text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test('are the same however they are cut on their way', () => {
    const text =
      'retry: 2000\n: x\n\nid: 1\ndata: {"a":"ä"}\n\nevent: reset\r\nid: 2\r\ndata: {}\r\n\r\n:\n\n';
    const cuts = fc.array(fc.nat(text.length), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, places => {
        const at = [0, ...places.toSorted((a, b) => a - b), text.length];
        expect(parse(...at.slice(1).map((end, index) => text.slice(at[index], end)))).toEqual(parse(text));
      }),
    );
  });
});
