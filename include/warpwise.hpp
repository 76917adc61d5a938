/* Warpwise for C++17: a thin layer over warpwise.h, of which every call keeps its name, its order of arguments and its manual.
 *
 *     WW_MAP(square, uint64_t, uint32_t, x, void, none, { return (uint64_t)x * x; });
 *
 *     warpwise::device device;                                  opens "best", the CPU, … as ww_open does; closes itself
 *     std::vector<uint32_t> x = …;
 *     std::vector<uint64_t> y(x.size());
 *     device.map(ww_typed(square), x, y);                       types are checked when this is compiled
 *     uint64_t sum = device.reduce(warpwise::add, y);
 *     device.sort(x, x);
 *
 *   arrays      what has data() and size() – std::vector, std::array, std::span, std::string – C arrays, warpwise::buffer
 *               (memory that the device reaches), and warpwise::output and warpwise::input, made from a pointer and a count. Numbers and
 *               WW_STRUCTs have types; ww_array and ww_input may be given everywhere, and are checked when the call runs
 *   inputs      the same, and counting, constant, mapped, cast, strided, reversed, permuted and zip, which are computed as
 *               they are read (input.h)
 *   functions   ww_typed(NAME) of a WW_MAP, WW_MAP2, WW_COMBINE, WW_LESS or WW_KERNEL; ww_typed(NAME).with(environment), or
 *               .with(table, count). add, mul, min, max, bit_and, bit_or, ascending and descending are built in
 *   results     of one element: a reference as the last argument, or where it says so what the call returns
 *   errors      warpwise::device throws warpwise::error, which has the status and ww_error's sentence. Of
 *               warpwise::device_of_results no call throws: each returns a warpwise::result, and the compiler warns of one
 *               that nobody looks at
 *   options     the C structs, by pointer, as the last argument; nullptr is the default
 *   the rest    get() of a device is its ww_device *: what has no method here (dictionaries, teams, tiles, files and others) is
 *               used through the C interface, and device.check(ww_…(device.get(), …)) throws, or returns the result
 *
 * Nothing here allocates, copies an array or adds a pass. A device is to be used by one thread at a time, as in C. */
#ifndef WARPWISE_HPP
#define WARPWISE_HPP

#include "warpwise.h"

#include <cstddef>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace warpwise {

/* ---- errors ---- */

/* What warpwise::device throws. */
class error : public std::runtime_error {
    ww_status status_;

  public:
    error(ww_status status, const std::string &sentence) : std::runtime_error(sentence), status_(status) {}
    ww_status status() const noexcept { return status_; }
};

/* What calls of warpwise::device_of_results return. */
class [[nodiscard]] result {
    ww_status status_ = WW_OK;
    const char *sentence_ = "";

  public:
    result() = default;
    result(ww_status status, const char *sentence) noexcept : status_(status), sentence_(sentence) {}
    explicit operator bool() const noexcept { return status_ == WW_OK; } /* it is well */
    ww_status status() const noexcept { return status_; }
    const char *sentence() const noexcept { return sentence_; } /* good until the device's next call */
};

namespace detail {

inline std::string sentence_of(ww_status status, const ww_device *device) {
    const char *sentence = device ? ww_error(device) : "";
    return *sentence ? sentence : ww_status_text(status);
}

struct throwing {
    using type = void;
    static constexpr bool throws = true;
    static void of(ww_status status, const ww_device *device) {
        if (status != WW_OK) throw error(status, sentence_of(status, device));
    }
};

struct returning {
    using type = result;
    static constexpr bool throws = false;
    static result of(ww_status status, const ww_device *device) noexcept {
        if (status == WW_OK) return {};
        const char *sentence = device ? ww_error(device) : "";
        return {status, *sentence ? sentence : ww_status_text(status)};
    }
};

/* ---- types ---- */

template <class T> struct is_number : std::is_arithmetic<T> {};
template <> struct is_number<long double> : std::false_type {};
#if WW_HAS_U128
template <> struct is_number<ww_u128> : std::true_type {};
#endif

template <class T, class = void> struct is_struct : std::false_type {};
template <class T>
struct is_struct<T, std::void_t<decltype(ww__type_of_struct(static_cast<const T *>(nullptr)))>> : std::true_type {};

/* Types that the library cannot tell apart: unsigned long and unsigned long long; char, bool and unsigned char. */
template <class A, class B> constexpr bool same() {
    if constexpr (std::is_void_v<A> || std::is_void_v<B> || std::is_same_v<A, B>)
        return true; /* void: known at run time */
    else if constexpr (std::is_integral_v<A> && std::is_integral_v<B>)
        return sizeof(A) == sizeof(B) && (std::is_unsigned_v<A> || std::is_same_v<A, char>) ==
                                             (std::is_unsigned_v<B> || std::is_same_v<B, char>);
    else
        return false;
}

template <class T> constexpr bool is_position() {
    return std::is_void_v<T> || (std::is_integral_v<T> && std::is_unsigned_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
}

/* What index and offset arrays may be, and flags. */
template <class T> constexpr bool is_index() {
    return std::is_void_v<T> || (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
}
template <class T> constexpr bool is_flag() { return std::is_void_v<T> || (std::is_integral_v<T> && sizeof(T) <= 8); }

} // namespace detail

/* The descriptor of a number's type or of a WW_STRUCT. */
template <class T> const ww_type *type_of() {
    static_assert(detail::is_number<T>::value || detail::is_struct<T>::value,
                  "Warpwise: elements are numbers or WW_STRUCTs; other bytes are ww_records and ww_record_memory");
    if constexpr (detail::is_number<T>::value)
        return ww__type_at(static_cast<T *>(nullptr));
    else
        return ww__type_of_struct(static_cast<const T *>(nullptr));
}

template <class T> ww_value value(const T &element) { return ww_value_of(&element, type_of<T>()); }

/* ---- arrays and inputs ---- */

/* An array that a call writes: T is its elements' type, void where that is known at run time only. */
template <class T> class output {
    ww_array array_;

  public:
    using element = T;
    output(T *data, std::size_t count) : array_(ww_array_of(data, count, type_of<T>())) {}
    const ww_array &get() const noexcept { return array_; }
};
template <> class output<void> {
    ww_array array_;

  public:
    using element = void;
    output(const ww_array &array) : array_(array) {}
    const ww_array &get() const noexcept { return array_; }
};

/* What a call reads. */
template <class T> class input {
    ww_input input_;

  public:
    using element = T;
    input(const T *data, std::size_t count) : input_(ww_memory_of(data, count, type_of<T>())) {}
    explicit input(const ww_input &computed) : input_(computed) {} /* whose elements are T */
    const ww_input &get() const noexcept { return input_; }
};
template <> class input<void> {
    ww_input input_;

  public:
    using element = void;
    input(const ww_input &any) : input_(any) {}
    const ww_input &get() const noexcept { return input_; }
};

/* In place of an input or an array that is not wanted. */
struct none_t {};
inline constexpr none_t none{};

namespace detail {

template <class T> input<T> input_of(const input<T> &in) { return in; }
inline input<void> input_of(const ww_input &in) { return in; }
inline input<void> input_of(const ww_array &array) { return ww_from(array); }
inline input<void> input_of(none_t) { return ww_no_input; }
template <class T> input<std::remove_const_t<T>> input_of(const output<T> &array) {
    return input<std::remove_const_t<T>>(ww_from(array.get()));
}
inline input<void> input_of(const output<void> &array) { return ww_from(array.get()); }
template <class C> using element_of = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>;
template <class C> auto input_of(const C &container) -> input<std::remove_cv_t<element_of<const C>>> {
    return {std::data(container), std::size(container)};
}

template <class T> output<T> output_of(const output<T> &array) { return array; }
inline output<void> output_of(const ww_array &array) { return array; }
inline output<void> output_of(none_t) { return ww_none; }
template <class C> auto output_of(C &&container) -> output<element_of<std::remove_reference_t<C>>> {
    static_assert(!std::is_const_v<element_of<std::remove_reference_t<C>>>, "Warpwise: this is written, and cannot be const");
    return {std::data(container), std::size(container)};
}

/* One element: a variable, or an array of one. */
template <class T, std::enable_if_t<is_number<T>::value || is_struct<T>::value, int> = 0> output<T> one_of(T &element) {
    return {&element, 1};
}
template <class C, std::enable_if_t<!(is_number<std::decay_t<C>>::value || is_struct<std::decay_t<C>>::value), int> = 0>
auto one_of(C &&array) -> decltype(output_of(std::forward<C>(array))) {
    return output_of(std::forward<C>(array));
}

template <class C> using in_element = typename decltype(input_of(std::declval<const C &>()))::element;
template <class C> using out_element = typename decltype(output_of(std::declval<C>()))::element;
template <class C> using one_element = typename decltype(one_of(std::declval<C>()))::element;

} // namespace detail

/* ---- functions ---- */

/* A function whose types are known: function<R(A)> is a WW_MAP, function<R(A, B)> a WW_MAP2, function<T(T, T)> also a WW_COMBINE,
 * function<bool(T, T)> a WW_LESS, function<void(uint64_t)> a WW_KERNEL. What it was made of must live as long. */
template <class Signature> class function {
    const ww_function *origin;
    const void *data = nullptr;
    uint64_t count = 0;
    const ww_type *type = nullptr;

  public:
    explicit function(const ww_function &f) noexcept : origin(&f) {}
    function(const ww_function &f, const void *environment, uint64_t elements, const ww_type *environment_type) noexcept
        : origin(&f), data(environment), count(elements), type(environment_type) {}
    /* With its environment, which a call copies or reads until it returns. */
    ww_function get() const { return type ? ww_bound(origin, data, count, type) : *origin; }
    const ww_function *plain() const noexcept { return type ? nullptr : origin; }
};

/* A function that wants an environment. */
template <class Signature, class Environment> class unbound {
    const ww_function &f;

  public:
    explicit unbound(const ww_function &of) noexcept : f(of) {}
    function<Signature> with(const Environment &environment) const {
        return {f, &environment, 1, type_of<Environment>()};
    }
    function<Signature> with(const Environment &&) const = delete; /* it must live until the call has returned */
    function<Signature> with(const Environment *table, std::size_t count) const {
        return {f, table, count, type_of<Environment>()};
    }
};

/* A function of the library's, for every type that it has. */
class built_in {
    const ww_function *f;

  public:
    constexpr explicit built_in(const ww_function &of) noexcept : f(&of) {}
    constexpr const ww_function *get() const noexcept { return f; }
};
inline constexpr built_in add{ww_add}, mul{ww_mul}, min{ww_min}, max{ww_max}, bit_and{ww_and}, bit_or{ww_or};
inline constexpr built_in ascending{ww_ascending}, descending{ww_descending};

namespace detail {

template <class R, class A> function<R(A)> typed(R (*)(A, const void *), const ww_function &f) {
    return function<R(A)>(f);
}
template <class R, class A, class E> unbound<R(A), E> typed(R (*)(A, const E *), const ww_function &f) {
    return unbound<R(A), E>(f);
}
template <class R, class A, class B> function<R(A, B)> typed(R (*)(A, B), const ww_function &f) {
    return function<R(A, B)>(f);
}
template <class R, class A, class B> function<R(A, B)> typed(R (*)(A, B, const void *), const ww_function &f) {
    return function<R(A, B)>(f);
}
template <class R, class A, class B, class E>
unbound<R(A, B), E> typed(R (*)(A, B, const E *), const ww_function &f) {
    return unbound<R(A, B), E>(f);
}

/* For the time of a call. */
class held {
    ww_function bound;
    const ww_function *f; /* nullptr: NULL was given, or it is `bound` */
    bool null;

  public:
    explicit held(const ww_function *of) noexcept : bound(), f(of), null(!of) {}
    template <class Signature> explicit held(const function<Signature> &of) : bound(of.get()), f(of.plain()), null(false) {}
    held(const held &) = delete;
    held &operator=(const held &) = delete;
    const ww_function *get() const noexcept { return f || null ? f : &bound; }
};

/* What each call wants of its function; a ww_function's own types are looked at when it runs. */
template <class F> struct checked {
    static_assert(!sizeof(F *), "Warpwise: a function is ww_typed(NAME), with its environment by .with, a built-in one such as "
                               "warpwise::add, or a ww_function");
};
struct unchecked {
    template <class R, class... A> static constexpr bool fits() { return true; }
    template <class... A> using result_of = void;
};
template <> struct checked<ww_function> : unchecked {
    static const ww_function *hold(const ww_function &f) { return &f; }
};
template <> struct checked<const ww_function *> : unchecked {
    static const ww_function *hold(const ww_function *f) { return f; }
};
template <> struct checked<ww_function *> : checked<const ww_function *> {};
template <> struct checked<std::nullptr_t> : unchecked {
    static const ww_function *hold(std::nullptr_t) { return nullptr; }
};
template <> struct checked<built_in> : unchecked {
    static const ww_function *hold(const built_in &f) { return f.get(); }
};
template <class FR, class... FA> struct checked<function<FR(FA...)>> {
    static const function<FR(FA...)> &hold(const function<FR(FA...)> &f) { return f; }
    template <class R, class... A> static constexpr bool fits() {
        if constexpr (sizeof...(A) != sizeof...(FA))
            return false;
        else
            return same<R, FR>() && (same<A, FA>() && ...);
    }
    template <class... A> using result_of = FR;
};

} // namespace detail

/* The typed form of a function of that name. */
#define ww_typed(name) ::warpwise::detail::typed(&name, name##_ww)

#define WW__HELD(f, ...) \
    static_assert(::warpwise::detail::checked<std::decay_t<decltype(f)>>::template fits<__VA_ARGS__>(), \
                  "Warpwise: the function's types are not those of the arrays"); \
    const ::warpwise::detail::held held_##f(::warpwise::detail::checked<std::decay_t<decltype(f)>>::hold(f))

/* ---- computed inputs ---- */

/* first, first + 1, …: `count` numbers of an integer type. */
template <class T> input<T> counting(T first, uint64_t count) {
    return input<T>(ww_counting(type_of<T>(), static_cast<uint64_t>(first), count));
}
/* `count` times a value; one of more than 16 bytes must live until the call returns. */
template <class T> input<T> constant(const T &element, uint64_t count) {
    return input<T>(ww_constant(value(element), count));
}
/* f(x) for each element, or f(a, b) for those of two. */
template <class F, class In> auto mapped(const F &f, const In &in) {
    WW__HELD(f, void, detail::in_element<In>);
    return input<typename detail::checked<F>::template result_of<void>>(ww_mapped(held_f.get(), detail::input_of(in).get()));
}
template <class F, class A, class B> auto mapped(const F &f, const A &a, const B &b) {
    WW__HELD(f, void, detail::in_element<A>, detail::in_element<B>);
    return input<typename detail::checked<F>::template result_of<void>>(
        ww_mapped2(held_f.get(), detail::input_of(a).get(), detail::input_of(b).get()));
}

/* Each number as one of another type: cast<uint64_t>(bytes). */
template <class T, class In> input<T> cast(const In &in) {
    return input<T>(ww_cast(type_of<T>(), detail::input_of(in).get()));
}
/* Element first + i * stride of what is given; from the last to the first. */
template <class In> auto strided(const In &in, uint64_t first, int64_t stride, uint64_t count) {
    return input<detail::in_element<In>>(ww_strided(detail::input_of(in).get(), first, stride, count));
}
template <class In> auto reversed(const In &in) {
    return input<detail::in_element<In>>(ww_reversed(detail::input_of(in).get()));
}
/* source[index[i]]. */
template <class Source, class Index> auto permuted(const Source &source, const Index &index) {
    return input<detail::in_element<Source>>(ww_permuted(detail::input_of(source).get(), detail::input_of(index).get()));
}
/* The members of a WW_STRUCT: zip<point>(x, y, z). */
template <class Struct, class... In> input<Struct> zip(const In &...in) {
    return input<Struct>(ww_zip(type_of<Struct>(), detail::input_of(in).get()...));
}

/* ---- devices ---- */

template <class Errors> class basic_device;

/* Memory that the device's kernels reach, freed with it; not initialised. To be gone before its device is. */
template <class T> class buffer {
    ww_device *device = nullptr;
    T *data_ = nullptr;
    std::size_t count = 0;
    template <class> friend class basic_device;

  public:
    static_assert(std::is_trivially_copyable_v<T>, "Warpwise: elements are moved as bytes");
    buffer() = default;
    buffer(buffer &&other) noexcept { swap(other); }
    buffer &operator=(buffer &&other) noexcept {
        buffer taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~buffer() {
        if (device) ww_free(device, data_);
    }
    void swap(buffer &other) noexcept {
        std::swap(device, other.device);
        std::swap(data_, other.data_);
        std::swap(count, other.count);
    }
    T *data() noexcept { return data_; }
    const T *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return count; }
};

#define WW__IN(x) detail::input_of(x).get()
#define WW__OUT(x) detail::output_of(std::forward<decltype(x)>(x)).get()
#define WW__ONE(x) detail::one_of(std::forward<decltype(x)>(x)).get()
#define WW__SAME(a, b) \
    static_assert(detail::same<a, b>(), "Warpwise: elements of these two arrays are of different types")
#define WW__POSITIONS(a) static_assert(detail::is_position<a>(), "Warpwise: positions and counts are uint32_t or uint64_t")
#define WW__INDICES(a) static_assert(detail::is_index<a>(), "Warpwise: indices and offsets are integers of 32 or 64 bits")
#define WW__FLAGS(a) static_assert(detail::is_flag<a>(), "Warpwise: flags are integers of up to 64 bits")
#define WW__I(X) detail::in_element<X>
#define WW__O(X) detail::out_element<X>

template <class Errors> class basic_device {
    ww_device *device = nullptr;
    ww_status opened_ = WW_OK;

  public:
    using answer = typename Errors::type;

    /* ww_open_with: nullptr is what WARPWISE_DEVICE names, else the CPU. A device_of_results says how that went by opened(). */
    explicit basic_device(const char *name = nullptr, const ww_open_options *options = nullptr) {
        opened_ = options ? ww_open_with(name, &device, options) : ww_open(name, &device);
        if constexpr (Errors::throws) {
            if (opened_ != WW_OK) {
                const error e(opened_, detail::sentence_of(opened_, device));
                ww_close(device);
                throw e;
            }
        }
    }
    explicit basic_device(const std::string &name, const ww_open_options *options = nullptr)
        : basic_device(name.c_str(), options) {}
    basic_device(basic_device &&other) noexcept
        : device(std::exchange(other.device, nullptr)), opened_(std::exchange(other.opened_, WW_NO_DEVICE)) {}
    basic_device &operator=(basic_device &&other) noexcept {
        std::swap(device, other.device);
        std::swap(opened_, other.opened_);
        return *this;
    }
    ~basic_device() { ww_close(device); }

    ww_device *get() const noexcept { return device; }
    result opened() const noexcept { return detail::returning::of(opened_, device); }
    const char *last_error() const noexcept { return device ? ww_error(device) : ""; }
    /* Of a call of the C interface with this device. */
    answer check(ww_status status) const { return Errors::of(status, device); }

    ww_device_info info() const {
        ww_device_info about = WW_DEVICE_INFO;
        if (ww_device_info_get(device, &about) != WW_OK) about = WW_DEVICE_INFO;
        return about;
    }

    /* ---- memory ---- */

    template <class T> answer allocate(std::size_t count, buffer<T> &to) {
        buffer<T> made;
        void *block = nullptr;
        ww_status status = WW_MEMORY;
        if (count <= static_cast<std::size_t>(-1) / sizeof(T)) status = ww_alloc(device, count * sizeof(T), &block);
        if (status == WW_OK) {
            made.device = device;
            made.data_ = static_cast<T *>(block);
            made.count = count;
            to = std::move(made);
        }
        return check(status);
    }
    template <class T> buffer<T> allocate(std::size_t count) {
        static_assert(Errors::throws, "Warpwise: give the buffer as the last argument, to get a result");
        buffer<T> made;
        allocate(count, made);
        return made;
    }
    template <class In, class Out> answer copy(const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_copy(device, WW__IN(in), WW__OUT(out)));
    }
    template <class Out, class T> answer fill(Out &&out, const T &element) {
        static_assert(detail::same<T, WW__O(Out)>(), "Warpwise: the value is not of the array's type");
        return check(ww_fill(device, WW__OUT(out), value(element)));
    }
    answer sync() { return check(ww_sync(device)); }

    /* ---- map ---- */

    template <class F, class In, class Out> answer map(const F &f, const In &in, Out &&out) {
        WW__HELD(f, WW__O(Out), WW__I(In));
        return check(ww_map(device, held_f.get(), WW__IN(in), WW__OUT(out)));
    }
    template <class F, class A, class B, class Out> answer map(const F &f, const A &a, const B &b, Out &&out) {
        WW__HELD(f, WW__O(Out), WW__I(A), WW__I(B));
        return check(ww_map2(device, held_f.get(), WW__IN(a), WW__IN(b), WW__OUT(out)));
    }
    template <class In, class Out> answer store(const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_store(device, WW__IN(in), WW__OUT(out)));
    }
    template <class F> answer launch(const F &f, uint64_t ranks) {
        WW__HELD(f, void, uint64_t);
        return check(ww_launch(device, held_f.get(), ranks));
    }

    /* ---- reduce ---- */

    template <class F, class In, class Out> answer reduce(const F &f, const In &in, Out &&out) {
        WW__HELD(f, WW__I(In), WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), detail::one_element<Out>);
        return check(ww_reduce(device, held_f.get(), WW__IN(in), WW__ONE(out)));
    }
    /* The sum itself; a GPU is waited for. */
    template <class F, class In> auto reduce(const F &f, const In &in) {
        static_assert(Errors::throws, "Warpwise: give where the sum goes as the last argument, to get a result");
        static_assert(!std::is_void_v<WW__I(In)>, "Warpwise: elements whose type is known at run time go to an array of one");
        WW__I(In) sum{};
        reduce(f, in, sum);
        return sum;
    }
    template <class F, class K, class V, class KO, class VO, class N>
    answer reduce_by_key(const F &f, const K &keys, const V &values, KO &&keys_out, VO &&values_out, N &&runs) {
        WW__HELD(f, WW__I(V), WW__I(V), WW__I(V));
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_reduce_by_key(device, held_f.get(), WW__IN(keys), WW__IN(values), WW__OUT(keys_out), WW__OUT(values_out),
                                      WW__ONE(runs)));
    }
    template <class E, class F, class K, class V, class KO, class VO, class N>
    answer reduce_by_key_by(const E &equal, const F &f, const K &keys, const V &values, KO &&keys_out, VO &&values_out,
                            N &&runs) {
        WW__HELD(equal, void, WW__I(K), WW__I(K));
        WW__HELD(f, WW__I(V), WW__I(V), WW__I(V));
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_reduce_by_key_by(device, held_equal.get(), held_f.get(), WW__IN(keys), WW__IN(values),
                                         WW__OUT(keys_out), WW__OUT(values_out), WW__ONE(runs)));
    }
    template <class F, class In, class Offsets, class Out>
    answer reduce_segments(const F &f, const In &in, const Offsets &offsets, Out &&out) {
        WW__HELD(f, WW__I(In), WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        WW__INDICES(WW__I(Offsets));
        return check(ww_reduce_segments(device, held_f.get(), WW__IN(in), WW__IN(offsets), WW__OUT(out)));
    }
    template <class Less, class In, class V, class P> answer arg_min(const Less &less, const In &in, V &&least, P &&position) {
        WW__HELD(less, bool, WW__I(In), WW__I(In));
        WW__POSITIONS(detail::one_element<P>);
        return check(ww_arg_min(device, held_less.get(), WW__IN(in), WW__ONE(least), WW__ONE(position)));
    }
    template <class Less, class In, class V, class P> answer arg_max(const Less &less, const In &in, V &&most, P &&position) {
        WW__HELD(less, bool, WW__I(In), WW__I(In));
        WW__POSITIONS(detail::one_element<P>);
        return check(ww_arg_max(device, held_less.get(), WW__IN(in), WW__ONE(most), WW__ONE(position)));
    }

    /* ---- scan ---- */

    template <class F, class In, class Out>
    answer scan(const F &f, const In &in, Out &&out, const ww_scan_options *options = nullptr) {
        WW__HELD(f, WW__I(In), WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_scan(device, held_f.get(), WW__IN(in), WW__OUT(out), options));
    }
    template <class F, class In, class Out> answer exclusive_scan(const F &f, const In &in, Out &&out) {
        ww_scan_options options = WW_SCAN_OPTIONS;
        options.exclusive = true;
        return scan(f, in, std::forward<Out>(out), &options);
    }
    template <class F, class In, class Heads, class Out>
    answer scan_segmented(const F &f, const In &in, const Heads &heads, Out &&out, const ww_scan_options *options = nullptr) {
        WW__HELD(f, WW__I(In), WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        WW__FLAGS(WW__I(Heads));
        return check(ww_scan_segmented(device, held_f.get(), WW__IN(in), WW__IN(heads), WW__OUT(out), options));
    }
    template <class F, class K, class In, class Out>
    answer scan_by_key(const F &f, const K &keys, const In &in, Out &&out, const ww_scan_options *options = nullptr) {
        WW__HELD(f, WW__I(In), WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_scan_by_key(device, held_f.get(), WW__IN(keys), WW__IN(in), WW__OUT(out), options));
    }
    template <class Flags, class Out, class N> answer enumerate(const Flags &flags, Out &&out, N &&total) {
        WW__FLAGS(WW__I(Flags));
        WW__POSITIONS(WW__O(Out));
        return check(ww_enumerate(device, WW__IN(flags), WW__OUT(out), WW__ONE(total)));
    }
    template <class In, class Out> answer adjacent_difference(const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_adjacent_difference(device, WW__IN(in), WW__OUT(out)));
    }

    /* ---- pack and split ---- */

    template <class In, class Flags, class Out, class N>
    answer pack(const In &in, const Flags &flags, Out &&out, N &&count, const ww_pack_options *options = nullptr) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__FLAGS(WW__I(Flags));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_pack(device, WW__IN(in), WW__IN(flags), WW__OUT(out), WW__ONE(count), options));
    }
    template <class F, class In, class Out, class N>
    answer pack_if(const F &keep, const In &in, Out &&out, N &&count, const ww_pack_options *options = nullptr) {
        WW__HELD(keep, void, WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_pack_if(device, held_keep.get(), WW__IN(in), WW__OUT(out), WW__ONE(count), options));
    }
    template <class In, class Flags, class Out, class N>
    answer split(const In &in, const Flags &flags, Out &&out, N &&zeros, const ww_split_options *options = nullptr) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__FLAGS(WW__I(Flags));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_split(device, WW__IN(in), WW__IN(flags), WW__OUT(out), WW__ONE(zeros), options));
    }
    template <class F, class In, class Out, class N>
    answer split_if(const F &second, const In &in, Out &&out, N &&zeros, const ww_split_options *options = nullptr) {
        WW__HELD(second, void, WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_split_if(device, held_second.get(), WW__IN(in), WW__OUT(out), WW__ONE(zeros), options));
    }

    /* ---- gather, scatter, expand ---- */

    template <class In, class Index, class Out> answer gather(const In &in, const Index &index, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__INDICES(WW__I(Index));
        return check(ww_gather(device, WW__IN(in), WW__IN(index), WW__OUT(out)));
    }
    template <class In, class Index, class Out>
    answer scatter(const In &in, const Index &index, Out &&out, ww_conflict conflict = WW_CONFLICT_LAST) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__INDICES(WW__I(Index));
        return check(ww_scatter(device, WW__IN(in), WW__IN(index), WW__OUT(out), ww_scatter_by(conflict)));
    }
    template <class In, class Counts, class Out, class S, class R, class N>
    answer expand(const In &in, const Counts &counts, Out &&out, S &&source_out, R &&rank_out, N &&total) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_expand(device, WW__IN(in), WW__IN(counts), WW__OUT(out), WW__OUT(source_out), WW__OUT(rank_out),
                               WW__ONE(total)));
    }

    /* ---- random numbers, permutations, samples ---- */

    template <class Out> answer random_fill(const ww_random &from, Out &&out) {
        return check(ww_random_fill(device, from, WW__OUT(out)));
    }
    template <class Out> answer random_below(const ww_random &from, uint64_t bound, Out &&out) {
        return check(ww_random_below(device, from, bound, WW__OUT(out)));
    }
    template <class Out> answer random_normal(const ww_random &from, double mean, double deviation, Out &&out) {
        return check(ww_random_normal(device, from, mean, deviation, WW__OUT(out)));
    }
    template <class In, class Out> answer shuffle(const ww_random &from, const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_shuffle(device, from, WW__IN(in), WW__OUT(out)));
    }
    template <class Out> answer permutation(const ww_random &from, Out &&out) {
        WW__POSITIONS(WW__O(Out));
        return check(ww_permutation(device, from, WW__OUT(out)));
    }
    template <class In, class Out>
    answer sample(const ww_random &from, const In &in, Out &&out, ww_sample_order order = WW_SAMPLE_SORTED) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_sample(device, from, WW__IN(in), WW__OUT(out), order));
    }

    /* ---- histograms and multisplits ---- */

    template <class In, class T, class Counts>
    answer histogram_even(const In &in, const T &low, const T &high, Counts &&counts, uint64_t *outside = nullptr,
                          const ww_histogram_options *options = nullptr) {
        static_assert(detail::same<T, WW__I(In)>(), "Warpwise: bounds are of the elements' type");
        return check(ww_histogram_even(device, WW__IN(in), value(low), value(high), WW__OUT(counts),
                                       outside ? ww_array_of(outside, 1, type_of<uint64_t>()) : ww_none, options));
    }
    template <class In, class Edges, class Counts>
    answer histogram_edges(const In &in, const Edges &edges, Counts &&counts, uint64_t *outside = nullptr,
                           const ww_histogram_options *options = nullptr) {
        WW__SAME(WW__I(In), WW__I(Edges));
        return check(ww_histogram_edges(device, WW__IN(in), WW__IN(edges), WW__OUT(counts),
                                        outside ? ww_array_of(outside, 1, type_of<uint64_t>()) : ww_none, options));
    }
    template <class F, class In, class Counts>
    answer histogram(const F &bucket_of, const In &in, Counts &&counts, uint64_t *outside = nullptr,
                     const ww_histogram_options *options = nullptr) {
        WW__HELD(bucket_of, void, WW__I(In));
        return check(ww_histogram(device, held_bucket_of.get(), WW__IN(in), WW__OUT(counts),
                                  outside ? ww_array_of(outside, 1, type_of<uint64_t>()) : ww_none, options));
    }
    template <class F, class K, class V, class KO, class VO, class Offsets>
    answer multisplit(const F &bucket_of, uint64_t buckets, const K &keys, const V &values, KO &&keys_out, VO &&values_out,
                      Offsets &&offsets, const ww_multisplit_options *options = nullptr) {
        WW__HELD(bucket_of, void, WW__I(K));
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        WW__POSITIONS(WW__O(Offsets));
        return check(ww_multisplit(device, held_bucket_of.get(), buckets, WW__IN(keys), WW__IN(values), WW__OUT(keys_out),
                                   WW__OUT(values_out), WW__OUT(offsets), options));
    }

    /* ---- merge, sets, search, runs ---- */

    template <class Less, class A, class B, class Out>
    answer merge(const Less &less, const A &a, const B &b, Out &&out) {
        WW__HELD(less, bool, WW__I(A), WW__I(A));
        WW__SAME(WW__I(A), WW__I(B));
        WW__SAME(WW__I(A), WW__O(Out));
        return check(ww_merge(device, held_less.get(), WW__IN(a), WW__IN(b), ww_no_input, ww_no_input, WW__OUT(out), ww_none));
    }
#define WW__SET(name) \
    template <class Less, class A, class B, class Out, class N> \
    answer name(const Less &less, const A &a, const B &b, Out &&out, N &&count) { \
        WW__HELD(less, bool, WW__I(A), WW__I(A)); \
        WW__SAME(WW__I(A), WW__I(B)); \
        WW__SAME(WW__I(A), WW__O(Out)); \
        WW__POSITIONS(detail::one_element<N>); \
        return check(ww_##name(device, held_less.get(), WW__IN(a), WW__IN(b), WW__OUT(out), WW__ONE(count))); \
    }
    WW__SET(set_union)
    WW__SET(set_intersection)
    WW__SET(set_difference)
#undef WW__SET
    template <class Less, class Sorted, class Needles, class Out>
    answer lower_bound(const Less &less, const Sorted &sorted, const Needles &needles, Out &&out) {
        WW__HELD(less, bool, WW__I(Sorted), WW__I(Sorted));
        WW__SAME(WW__I(Sorted), WW__I(Needles));
        WW__POSITIONS(WW__O(Out));
        return check(ww_lower_bound(device, held_less.get(), WW__IN(sorted), WW__IN(needles), WW__OUT(out)));
    }
    template <class Less, class Sorted, class Needles, class Out>
    answer upper_bound(const Less &less, const Sorted &sorted, const Needles &needles, Out &&out) {
        WW__HELD(less, bool, WW__I(Sorted), WW__I(Sorted));
        WW__SAME(WW__I(Sorted), WW__I(Needles));
        WW__POSITIONS(WW__O(Out));
        return check(ww_upper_bound(device, held_less.get(), WW__IN(sorted), WW__IN(needles), WW__OUT(out)));
    }
    template <class In, class V, class L, class N> answer run_lengths(const In &in, V &&values_out, L &&lengths_out, N &&runs) {
        WW__SAME(WW__I(In), WW__O(V));
        WW__POSITIONS(WW__O(L));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_run_lengths(device, WW__IN(in), WW__OUT(values_out), WW__OUT(lengths_out), WW__ONE(runs)));
    }
    template <class In, class Out, class N> answer unique(const In &in, Out &&out, N &&count) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_unique(device, WW__IN(in), WW__OUT(out), WW__ONE(count)));
    }
    template <class F, class In, class V, class L, class N>
    answer run_lengths_by(const F &equal, const In &in, V &&values_out, L &&lengths_out, N &&runs) {
        WW__HELD(equal, void, WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(V));
        WW__POSITIONS(WW__O(L));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_run_lengths_by(device, held_equal.get(), WW__IN(in), WW__OUT(values_out), WW__OUT(lengths_out),
                                       WW__ONE(runs)));
    }
    template <class F, class In, class Out, class N> answer unique_by(const F &equal, const In &in, Out &&out, N &&count) {
        WW__HELD(equal, void, WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_unique_by(device, held_equal.get(), WW__IN(in), WW__OUT(out), WW__ONE(count)));
    }

    /* ---- sort ---- */

    template <class K, class KO> answer sort(const K &keys, KO &&keys_out, const ww_sort_options *options = nullptr) {
        return sort(keys, none, std::forward<KO>(keys_out), none, options);
    }
    template <class K, class V, class KO, class VO>
    answer sort(const K &keys, const V &values, KO &&keys_out, VO &&values_out, const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        return check(ww_sort(device, WW__IN(keys), WW__IN(values), WW__OUT(keys_out), WW__OUT(values_out), options));
    }
    template <class Less, class K, class KO>
    answer sort_by(const Less &less, const K &keys, KO &&keys_out, const ww_sort_options *options = nullptr) {
        return sort_by(less, keys, none, std::forward<KO>(keys_out), none, options);
    }
    template <class Less, class K, class V, class KO, class VO>
    answer sort_by(const Less &less, const K &keys, const V &values, KO &&keys_out, VO &&values_out,
                   const ww_sort_options *options = nullptr) {
        WW__HELD(less, bool, WW__I(K), WW__I(K));
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        return check(ww_sort_by(device, held_less.get(), WW__IN(keys), WW__IN(values), WW__OUT(keys_out), WW__OUT(values_out),
                                options));
    }
    template <class K, class Index>
    answer sort_index(const K &keys, Index &&index_out, const ww_sort_options *options = nullptr) {
        WW__POSITIONS(WW__O(Index));
        return check(ww_sort_index(device, WW__IN(keys), WW__OUT(index_out), options));
    }
    template <class K, class Offsets, class KO>
    answer sort_segments(const K &keys, const Offsets &offsets, KO &&keys_out, const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__O(KO));
        WW__INDICES(WW__I(Offsets));
        return check(ww_sort_segments(device, WW__IN(keys), ww_no_input, WW__IN(offsets), WW__OUT(keys_out), ww_none, options));
    }
    template <class K, class KO> answer top_k(const K &keys, KO &&keys_out, const ww_sort_options *options = nullptr) {
        return top_k(keys, none, std::forward<KO>(keys_out), none, options);
    }
    template <class K, class V, class KO, class VO>
    answer top_k(const K &keys, const V &values, KO &&keys_out, VO &&values_out, const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        return check(ww_top_k(device, WW__IN(keys), WW__IN(values), WW__OUT(keys_out), WW__OUT(values_out), options));
    }
    template <class K, class Out> answer nth(uint64_t n, const K &keys, Out &&out, const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), detail::one_element<Out>);
        return check(ww_nth(device, n, WW__IN(keys), WW__ONE(out), options));
    }

    /* ---- text ---- */

    template <class Text, class P, class N>
    answer find(const Text &text, std::string_view pattern, P &&positions, N &&count, const ww_find_options *options = nullptr) {
        WW__POSITIONS(WW__O(P));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_find(device, WW__IN(text), pattern.data(), pattern.size(), WW__OUT(positions), WW__ONE(count), options));
    }
    /* Where the first match begins, or WW_NOT_FOUND. */
    template <class Text>
    answer find_first(const Text &text, std::string_view pattern, uint64_t &position, const ww_find_options *options = nullptr) {
        return check(ww_find_first(device, WW__IN(text), pattern.data(), pattern.size(), WW__ONE(position), options));
    }
};

using device = basic_device<detail::throwing>;
using device_of_results = basic_device<detail::returning>;

#undef WW__HELD
#undef WW__IN
#undef WW__OUT
#undef WW__ONE
#undef WW__SAME
#undef WW__POSITIONS
#undef WW__INDICES
#undef WW__FLAGS
#undef WW__I
#undef WW__O

} // namespace warpwise

#endif
