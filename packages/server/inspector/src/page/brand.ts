import { element } from './element.ts';

const namespace = 'http://www.w3.org/2000/svg';

function icon(path: string, size: number): SVGElement {
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('aria-hidden', 'true');
  const drawn = document.createElementNS(namespace, 'path');
  drawn.setAttribute('d', path);
  svg.append(drawn);
  return svg;
}

export function brand(): HTMLElement {
  return element(
    'div',
    { class: 'brand' },
    icon('M12 2 20.7 7v10L12 22 3.3 17V7z', 24),
    element('span', {}, 'Hexagent'),
  );
}

export function menuIcon(): SVGElement {
  return icon('M3 5h14M3 10h14M3 15h14', 20);
}
