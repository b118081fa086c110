import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/**
 * Follows the text while it grows, unless the person has scrolled up to read. A form or a first screen that is longer than the
 * window is shown from its beginning, and does not move while it is used.
 */
export function useStickToEnd(scroller: RefObject<HTMLDivElement | null>) {
  const [atEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return undefined;
    let form: Element | null = null;
    const follow = (): void => {
      const shown = content.querySelector('.card, .welcome');
      const isNew = shown !== form;
      form = shown;
      if (!sticks.current || (shown !== null && !isNew)) return;
      element.scrollTop = element.scrollHeight;
      const hidden = shown === null ? 0 : element.getBoundingClientRect().top - shown.getBoundingClientRect().top;
      if (hidden > 0) element.scrollTop -= hidden + 12;
    };
    const onScroll = (): void => {
      sticks.current = element.scrollHeight - element.scrollTop - element.clientHeight < 48;
      setAtEnd(sticks.current);
    };
    const grown = new ResizeObserver(follow);
    grown.observe(content);
    grown.observe(element);
    follow();
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller]);
  const toEnd = useCallback(() => {
    sticks.current = true;
    setAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);
  return { atEnd, toEnd };
}
