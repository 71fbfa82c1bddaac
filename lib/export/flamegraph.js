// SPDX-License-Identifier: MIT
// Zoom and search of a flame graph. export_svg.c puts this into each SVG as it is: nothing of a trace is in it, and names are only
// ever read as text. A frame is <g class="f" data-x data-w data-d>: where it begins and how wide it is, in units of weight, and its level.
(function () {
    "use strict";
    var svg = document.querySelector("svg.snoopi");
    var left = 10, width = 1180, letter = 7.25; // as in export_svg.c
    var frames = Array.prototype.map.call(svg.querySelectorAll("g.f"), function (g) {
        return {
            g: g, rect: g.querySelector("rect"), label: g.querySelector("text"),
            title: g.querySelector("title").textContent,
            x: +g.getAttribute("data-x"), w: +g.getAttribute("data-w"), d: +g.getAttribute("data-d")
        };
    });
    var all = frames[0], zoomed = all;
    var reset = svg.querySelector("#reset"), found = svg.querySelector("#found"), details = svg.querySelector("#details");

    function name(frame) {
        return frame.title.split("\n", 1)[0];
    }

    function fit(text, pixels) {
        var n = Math.floor((pixels - 6) / letter), letters;
        if (n < 3) {
            return "";
        }
        letters = Array.from(text.length > 4 * n ? text.slice(0, 4 * n) : text);
        return letters.length <= n && text.length <= 4 * n ? text : letters.slice(0, n - 1).join("") + "…";
    }

    function place(frame) {
        var inside = frame.x >= zoomed.x && frame.x + frame.w <= zoomed.x + zoomed.w && frame.d >= zoomed.d;
        var above = frame.x <= zoomed.x && frame.x + frame.w >= zoomed.x + zoomed.w && frame.d < zoomed.d;
        var x = above ? 0 : (frame.x - zoomed.x) / zoomed.w * width;
        var w = above ? width : frame.w / zoomed.w * width;
        frame.g.style.display = inside || above ? "" : "none";
        if (inside || above) {
            frame.g.style.opacity = above ? 0.5 : 1;
            frame.rect.setAttribute("x", (left + x).toFixed(2));
            frame.rect.setAttribute("width", Math.max(w - 0.3, 0.1).toFixed(2));
            frame.label.setAttribute("x", (left + x + 3).toFixed(2));
            frame.label.textContent = fit(name(frame), w);
        }
    }

    function zoom(frame) {
        zoomed = frame;
        frames.forEach(place);
        reset.style.display = frame === all ? "none" : "";
    }

    // What matches weighs once where one match stands on another.
    function search(word) {
        var end = -1, depth = -1, weight = 0;
        word = word.toLowerCase();
        frames.forEach(function (frame) {
            var hit = word !== "" && frame !== all && name(frame).toLowerCase().indexOf(word) >= 0;
            frame.g.classList.toggle("hit", hit);
            if (hit && (frame.x >= end || frame.d <= depth)) {
                weight += frame.w;
                end = frame.x + frame.w;
                depth = frame.d;
            }
        });
        found.textContent = word === "" ? "" : "“" + word + "”: " + (100 * weight / all.w).toFixed(1) + " %";
    }

    function ask() {
        var word = window.prompt("Search for a part of a name (empty: none)", "");
        if (word !== null) {
            search(word);
        }
    }

    function frameOf(node) {
        var g = node.closest ? node.closest("g.f") : null;
        return g ? frames[Array.prototype.indexOf.call(svg.querySelectorAll("g.f"), g)] : null;
    }

    svg.addEventListener("click", function (event) {
        var frame = frameOf(event.target);
        if (frame) {
            zoom(frame);
        } else if (event.target === reset) {
            zoom(all);
        } else if (event.target.id === "search") {
            ask();
        }
    });
    svg.addEventListener("mouseover", function (event) {
        var frame = frameOf(event.target);
        details.textContent = frame ? fit(frame.title.replace(/\n/g, "   "), width) : "";
    });
    window.addEventListener("keydown", function (event) {
        if (event.key === "Escape") {
            search("");
            zoom(all);
        } else if (event.key === "/" || (event.key === "f" && (event.ctrlKey || event.metaKey))) {
            event.preventDefault();
            ask();
        }
    });
    svg.querySelector("#search").style.display = "";
})();
