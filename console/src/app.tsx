/** The frame: navigation next to the screen, and what can cover it. */

import { computed } from '@preact/signals';
import { page as texts } from 'messages';
import { Component, type ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { clockOff } from './clock.ts';
import { isSeen } from './entries.ts';
import { Navigation } from './frame/navigation.tsx';
import { helpOpen } from './frame/shortcuts.ts';
import { Leaving } from './parts/dialog.tsx';
import { later, laterEntering } from './parts/later.tsx';
import { Failure, Heading, Lacking } from './parts/loading.tsx';
import { Notice } from './parts/notice.tsx';
import { lackedZones, unset } from './places/zones.ts';
import { path, query } from './router.ts';
import { Missing } from './screens/missing.tsx';
import { screens, visibleScreens } from './screens.ts';
import { begin, mode, session, wanted, whyUnknown } from './service/session.ts';

const Help = later((seldom) => seldom.Help, null);
const ZoneNotice = later((seldom) => seldom.ZoneNotice, null);
const DeviceNotice = later((seldom) => seldom.DeviceNotice, null);
const Invitation = laterEntering((entering) => entering.Invitation);
const SignIn = laterEntering((entering) => entering.SignIn, null);

/** The token of an invitation. It is in the fragment, which no server sees. */
const invitationHere = (): string | undefined => /^#\/invitation\/(.*)$/.exec(location.hash)?.[1];
const invitation = invitationHere();

const parts = computed(() => path.value.split('/'));

export function App(): JSX.Element {
  useLayoutEffect(() => {
    if (invitation === undefined) void begin();
    // A link that is pasted over another page of the console changes the fragment alone.
    const follow = (): void => {
      if (invitationHere() !== undefined) location.reload();
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  if (invitation !== undefined) return <Invitation token={invitation} />;
  return (
    <>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      {mode.value === 'test' && <aside class="band">{texts.testData}</aside>}
      {mode.value === 'both' && <aside class="band">{texts.bothData}</aside>}
      <div class="frame">
        <Navigation />
        <Notice />
        <main id="content" tabIndex={-1}>
          {(lackedZones.value.length > 0 || clockOff.value !== 0) && <DeviceNotice />}
          {unset.value.length > 0 && <ZoneNotice />}
          <Lacking />
          <Boundary key={path.value}>
            {whyUnknown.value === undefined ? (
              <Screen />
            ) : (
              <>
                <Heading title={texts.product} />
                <Failure error={whyUnknown.value} onAgain={() => void begin()} />
              </>
            )}
          </Boundary>
        </main>
      </div>
      <Leaving />
      {helpOpen.value && <Help screens={visibleScreens(session.value)} />}
      {wanted.value !== undefined && <SignIn why={wanted.value} />}
    </>
  );
}

function Screen(): JSX.Element {
  // A screen reads its query itself; this one only has to be drawn again with it.
  void query.value;
  const [first = '', ...rest] = parts.value;
  const entry = screens.find(({ path: one }) => one === first);
  if (entry === undefined) return <Missing />;
  const { component: Component, title } = entry;
  if (session.value !== undefined && !isSeen(entry, session.value))
    return <Missing title={title} about={texts.failure.forbidden} />;
  return <Component path={first} rest={rest} title={title} />;
}

type BoundaryProps = { readonly children: ComponentChildren };

/** Keeps the rest of the page when a screen fails, and shows a sentence in its place. */
class Boundary extends Component<BoundaryProps, { readonly error?: unknown }> {
  static override getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render(): ComponentChildren {
    if (this.state.error === undefined) return this.props.children;
    return <Failure error={this.state.error} />;
  }
}
