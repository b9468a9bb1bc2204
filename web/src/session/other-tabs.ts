/** What tabs of one browser tell each other: they have one cookie. */
type TabNews = 'signed_in' | 'signed_out';

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('hostler-session') : undefined;

export const tellOtherTabs = (news: TabNews): void => channel?.postMessage(news);

export function onOtherTabs(listener: (news: TabNews) => void): () => void {
  const hear = ({ data }: MessageEvent<TabNews>) => listener(data);
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
