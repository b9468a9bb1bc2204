import { describe, expect, test } from 'vitest';
import { createScreen } from './screen.ts';

function openScreen() {
  const written: string[] = [];
  const terminal = { columns: 80, rows: 24, writeOut: (text: string) => void written.push(text) };
  return { terminal, screen: createScreen(terminal), last: () => written.at(-1), written };
}

describe('Screen', () => {
  test('writes only changed lines, in a single write', () => {
    const { screen, last, written } = openScreen();
    screen.render(['a', 'b', 'c']);
    expect(last()).toBe('\u001b[?25l\u001b[?7l\ra\u001b[K\nb\u001b[K\nc\u001b[K\n\u001b[J\u001b[?7h');
    screen.render(['a', 'B', 'c']);
    expect(last()).toBe('\u001b[?7l\r\u001b[3A\nB\u001b[K\n\n\u001b[J\u001b[?7h');
    screen.render(['a', 'B', 'c']);
    expect(written.length).toBe(2);
  });

  test('clears the terminal and renders all lines after a resize', () => {
    const { screen, last, terminal } = openScreen();
    screen.render(['a', 'b']);
    terminal.columns = 40;
    screen.render(['a', 'b']);
    expect(last()).toBe('\u001b[H\u001b[2J\u001b[?7l\ra\u001b[K\nb\u001b[K\n\u001b[J\u001b[?7h');
  });

  test('shows the cursor once at the end, and only if it was hidden', () => {
    const { screen, last, written } = openScreen();
    screen.close();
    expect(written).toEqual([]);
    screen.render(['a']);
    screen.close();
    screen.close();
    expect(last()).toBe('\r\u001b[J\u001b[?25h');
    expect(written.length).toBe(2);
  });
});
