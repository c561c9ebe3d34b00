/** The head of a screen, and what it shows until something is loaded or done, or why it could not be. */
import { page as texts } from 'messages';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Loaded } from '../load.ts';
import { refusalText } from '../refusals.ts';
import { path } from '../router.ts';
import { isRefusal } from '../service/api.ts';
import { lacking, saysItself } from '../service/lacking.ts';
import { Button, Copy, IconButton, Stone } from './button.tsx';

interface HeadingProps {
  readonly title: string;
  /** Which part of it is shown, for the title of the window. */
  readonly part?: string | undefined;
  readonly about?: ComponentChildren;
  /** Above the title: the way here. */
  readonly way?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Heading({ title, part, about, way, children }: HeadingProps): JSX.Element {
  useEffect(() => {
    document.title = [part, title, texts.product].filter(Boolean).join(' · ');
  }, [title, part]);
  return (
    <header class="heading">
      <div>
        {way !== undefined && <p class="way hint">{way}</p>}
        <h1 tabIndex={-1}>{title}</h1>
        {about !== undefined && <p class="about">{about}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  );
}

export function Reload({ onReload }: { readonly onReload: () => void }): JSX.Element {
  return <IconButton class="reload" icon="again" label={texts.list.refresh} onClick={onReload} />;
}

interface LoadingProps<T> {
  readonly of: Pick<Loaded<T>, 'value' | 'error' | 'reload'>;
  readonly rows?: number;
  readonly children?: (value: T) => ComponentChildren;
}

/** Shows what is loaded: bones until it is there, and why it could not be loaded. */
export function Loading<T>({ of, rows = 2, children }: LoadingProps<T>): JSX.Element {
  const { value, error, reload } = of;
  return (
    <>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {value === undefined && error === undefined && <Skeleton rows={rows} />}
      {value !== undefined && children?.(value)}
    </>
  );
}

/** A placeholder, visible only if loading takes a while. */
export function Skeleton({ rows = 8 }: { readonly rows?: number }): JSX.Element {
  return (
    <div class="skeleton" role="status" aria-label={texts.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="bone" />
      ))}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly onAgain?: () => void;
}

/** The service's message, and the request id. */
export function Failure(props: FailureProps): JSX.Element {
  useLayoutEffect(() => saysItself(props.error), [props.error]);
  return <Why {...props} />;
}

/** Says of all that the page lacks without a word that it does, and loads it again; so does another screen. */
export function Lacking(): JSX.Element | null {
  const [first] = lacking.value;
  const again = (): void => {
    for (const { reload } of lacking.peek()) reload();
  };
  useEffect(again, [path.value]);
  if (first === undefined) return null;
  return <Why error={first.error} says={texts.failure.part} onAgain={again} />;
}

function Why({ error, onAgain, says }: FailureProps & { readonly says?: string }): JSX.Element {
  const seconds = isRefusal(error) ? error.retryAfter : undefined;
  return (
    <div class={says === undefined ? 'failure' : 'failure part'} role="alert">
      <p class="what">
        {says} {sentenceOf(error)}
      </p>
      <p class="more">
        {onAgain !== undefined && <Again after={seconds} onAgain={onAgain} />}
        {isRefusal(error) && error.requestId !== undefined && (
          <span class="request">
            {texts.failure.request} <code>{error.requestId}</code>
            <Copy text={error.requestId} label={texts.failure.copyRequest} />
          </span>
        )}
      </p>
    </div>
  );
}

export function sentenceOf(error: unknown): string {
  if (!isRefusal(error)) return texts.failure.unexpected;
  return error.type === 'connection_error' ? texts.failure.unreachable : refusalText(error);
}

/** Counts down where the service has said how long to wait. */
function Again(props: {
  readonly after: number | undefined;
  readonly onAgain: () => void;
}): JSX.Element {
  const { after, onAgain } = props;
  const { left } = useCountdown(after);
  useEffect(() => {
    if (after !== undefined && left <= 0) onAgain();
  }, [left, onAgain]);
  return (
    <Button
      label={after === undefined ? texts.failure.again : texts.failure.againIn(left)}
      onClick={onAgain}
    />
  );
}

/** Seconds that are left to wait. */
export function useCountdown(from = 0): { readonly left: number; start(seconds: number): void } {
  const [left, setLeft] = useState(from);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return { left, start: setLeft };
}

/** A message about a fault, above the part that it concerns. */
export function Fault({ says }: { readonly says: string | undefined }): JSX.Element | null {
  if (says === undefined) return null;
  return (
    <p class="fault" role="alert">
      {says}
    </p>
  );
}

export interface EmptyProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Empty({ title, hint, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <Stone />
      <p class="what">{title}</p>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}
