import { Page } from '../../ui/page.tsx';

export const EventsPage = () => (
  <Page title="Events">
    <p>Events</p>
  </Page>
);
